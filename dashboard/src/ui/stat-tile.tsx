import { Group, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';
import classes from './panel.module.css';

interface Props {
  readonly label: string;
  /** Undefined while it is not known yet. */
  readonly value: ReactNode | undefined;
  /** What the figure is of, or compared with: "of 12,345 checks". */
  readonly hint?: ReactNode;
  /** Compared with another time: "+12 % against the 24 hours before". */
  readonly compared?: string | undefined;
  /** A Sparkline. */
  readonly chart?: ReactNode;
}

export function StatTile({ label, value, hint, compared, chart }: Props) {
  return (
    <Paper className={classes.panel}>
      <Dimmed size="sm">{label}</Dimmed>
      <Group justify="space-between" align="flex-end" wrap="nowrap" gap="sm">
        {value === undefined ? (
          <Skeleton h={28} w={96} my={4} aria-label={`${label}: loading`} role="status" />
        ) : (
          <Text fz="1.625rem" fw={600} lh={1.4} flex="none">
            {value}
          </Text>
        )}
        {chart}
      </Group>
      {hint !== undefined && <Dimmed>{hint}</Dimmed>}
      {compared !== undefined && <Dimmed>{compared}</Dimmed>}
    </Paper>
  );
}
