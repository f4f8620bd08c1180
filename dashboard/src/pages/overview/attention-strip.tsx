import { Paper } from '@mantine/core';
import { useAttention } from '../../api/attention.ts';
import { FindingList } from '../../ui/finding-list.tsx';
import classes from '../../ui/panel.module.css';

/** The findings that need attention, above the figures; nothing where there are none. */
export function AttentionStrip() {
  const { data: findings = [] } = useAttention();
  if (findings.length === 0) return null;
  return (
    <Paper component="section" aria-label="Wants attention" className={classes.panel}>
      <FindingList findings={findings} />
    </Paper>
  );
}
