import { Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { formatCount, formatPoints, formatShare } from '../../../format/numbers.ts';
import { Panel } from '../../../ui/panel.tsx';
import { StatTile } from '../../../ui/stat-tile.tsx';
import { describeCounts, totalOf } from '../effect/counts.ts';
import type { ShadowReport } from '../queries.ts';
import { FlipExamples } from './flip-examples.tsx';
import { Criteria, PromotionBadge } from './promotion.tsx';

/** One rule with `mode: shadow`. */
export function ShadowRuleCard({ report }: { readonly report: ShadowReport['rules'][number] }) {
  const { id, group, points, checks, fires, by_label, precision, s_o, flips, promotion, is_mirrored } =
    report;
  return (
    <Panel
      title={id}
      description={
        <Group gap="xs" component="span">
          <Code>{group}</Code> {formatPoints(points)} points if it counted, tried in{' '}
          {formatCount(checks.total)} checks
        </Group>
      }
      actions={<PromotionBadge promotion={promotion} />}
    >
      <Stack>
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <StatTile
            label="Fires"
            value={formatShare(fires.share)}
            hint={`in ${formatCount(fires.count)}: ${describeCounts(by_label, formatCount)}`}
          />
          <StatTile label="Precision" value={formatShare(precision.share)} hint="among the labelled" />
          <StatTile label="S/O" value={s_o === null ? '–' : s_o.toFixed(4)} hint="bad over all, by rates" />
          <StatTile
            label="Would change"
            value={formatCount(totalOf(flips.to_block.counts) + totalOf(flips.to_allow.counts))}
            hint={`${formatCount(totalOf(flips.to_block.counts))} to BLOCK, ${formatCount(totalOf(flips.to_allow.counts))} to ALLOW`}
          />
        </SimpleGrid>
        <Criteria promotion={promotion} isMirrored={is_mirrored} />
        <FlipExamples flips={flips} />
      </Stack>
    </Panel>
  );
}
