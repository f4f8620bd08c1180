import { SimpleGrid, Stack, Text } from '@mantine/core';
import { formatCount, formatCounted, formatShare } from '../../../format/numbers.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { StatTile } from '../../../ui/stat-tile.tsx';
import { TextList } from '../../../ui/text-list.tsx';
import { describeLevels, totalOf } from '../effect/counts.ts';
import { UnjudgedAlert } from '../effect/unjudged-alert.tsx';
import type { Replay } from '../queries.ts';

interface Props {
  readonly replay: Replay;
  /** Whether the backtest is noted in the draft. */
  readonly isNoted?: boolean;
}

/** The main figures of a backtest, to be seen before a person goes on. */
export function BacktestSummary({ replay, isNoted = false }: Props) {
  const { flips, figures, cases, caveats, corpus } = replay;
  const hasLabels = cases.good + cases.bad > 0;
  return (
    <Stack gap="xs">
      <UnjudgedAlert unjudged={replay.unjudged} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: hasLabels ? 4 : 3 }}>
        <StatTile
          label="Newly blocked"
          value={formatCount(totalOf(flips.to_block.counts))}
          hint={labelled(flips.to_block.counts)}
        />
        <StatTile
          label="Newly let in"
          value={formatCount(totalOf(flips.to_allow.counts))}
          hint={labelled(flips.to_allow.counts)}
        />
        <StatTile
          label="Block rate"
          value={formatShare(figures.candidate.block_rate.share)}
          hint={`now ${formatShare(figures.base.block_rate.share)}`}
        />
        {hasLabels && (
          <StatTile
            label="Good ones blocked"
            value={formatShare(figures.candidate.false_positive_rate.share)}
            hint={`now ${formatShare(figures.base.false_positive_rate.share)}`}
          />
        )}
      </SimpleGrid>
      <Text size="sm">{describeLevels(replay.levels)}</Text>
      <Dimmed>
        On {formatCounted(corpus.checks, 'check')} of the last {corpus.days} days.
        {isNoted && ' The backtest is noted in the draft.'}
      </Dimmed>
      <TextList items={caveats} size="xs" c="dimmed" />
    </Stack>
  );
}

function labelled({ good, bad }: { readonly good: number; readonly bad: number }): string {
  return good + bad === 0 ? 'none of them labelled' : `${formatCount(good)} good, ${formatCount(bad)} bad`;
}
