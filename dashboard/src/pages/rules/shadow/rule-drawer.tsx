import { Drawer, Stack, Text, Title } from '@mantine/core';
import { formatCount, formatCounted } from '../../../format/numbers.ts';
import { describeCounts } from '../effect/counts.ts';
import type { ShadowReport } from '../queries.ts';
import { FlipExamples } from './flip-examples.tsx';
import { Criteria, PromotionBadge } from './promotion.tsx';
import type { TriedRule } from './tried-rules.ts';

interface Props {
  readonly rule: TriedRule;
  readonly onClose: () => void;
}

/** All that is known of one rule that is tried: on live traffic, and in the replay. */
export function RuleDrawer({ rule: { live, replayed }, onClose }: Props) {
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title={live.id}>
      <Stack gap="xl">
        <Findings title="On live traffic" report={live} />
        {replayed !== null && <Findings title="In a replay of the records" report={replayed} />}
      </Stack>
    </Drawer>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly report: ShadowReport['rules'][number];
}

function Findings({ title, report }: FindingsProps) {
  const { checks, fires, by_label, flips, promotion, is_mirrored, rollout } = report;
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={3}>{title}</Title>
      <PromotionBadge promotion={promotion} />
      <Text size="sm">
        Fires in {formatCount(fires.count)} of {formatCounted(checks.total, 'check')}
        {rollout !== null && ` of people outside the ${rollout.percent} % for whom it counts`}:{' '}
        {describeCounts(by_label, formatCount)}.
      </Text>
      <Criteria promotion={promotion} isMirrored={is_mirrored} />
      <FlipExamples flips={flips} />
    </Stack>
  );
}
