import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatCount, formatCounted, formatShare } from '../../../format/numbers.ts';
import { type Bin, Histogram } from '../../../ui/charts/histogram.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { decisionLines, moveLine } from '../decision-lines.ts';
import type { RuleFiles } from '../language/names.ts';
import type { Replay } from '../queries.ts';
import { describeLevels, totalOf } from './counts.ts';
import classes from './scores.module.css';

interface Props {
  readonly replay: Replay;
  readonly files: RuleFiles;
  readonly onEdit: (change: (files: RuleFiles) => RuleFiles) => void;
}

const SIDES = [
  { value: 'candidate', label: 'This text' },
  { value: 'base', label: 'In force' },
];
const BIN = 5;
const LABELS = ['good', 'bad', 'unlabelled'] as const;
const COLORS = { good: 'chart-allow', bad: 'chart-block', unlabelled: 'chart-5' } as const;

/** The checks by score, with the lines that decide. A dragged line writes its number into the text. */
export function Scores({ replay, files, onEdit }: Props) {
  const [side, setSide] = useState('candidate');
  const lines = useMemo(() => decisionLines(files), [files]);
  const scores = side === 'base' ? replay.scores.base : replay.scores.candidate;
  const hasLabels = replay.cases.good + replay.cases.bad > 0;
  const labels = hasLabels ? LABELS : (['unlabelled'] as const);
  const { flips, figures } = replay;
  return (
    <Stack gap="md">
      <dl className={classes.figures}>
        <KeyFigure label="Newly blocked" value={formatCount(totalOf(flips.to_block.counts))} />
        <KeyFigure label="Newly let in" value={formatCount(totalOf(flips.to_allow.counts))} />
        <KeyFigure
          label="Block rate"
          value={formatShare(figures.candidate.block_rate.share)}
          hint={`now ${formatShare(figures.base.block_rate.share)}`}
        />
      </dl>
      <Text size="sm">{describeLevels(replay.levels)}</Text>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          Checks by score
        </Text>
        <SegmentedControl size="xs" data={SIDES} value={side} onChange={setSide} aria-label="Scores of" />
      </Group>
      <Histogram
        title="Checks by score"
        description={describe(
          replay,
          lines.map(({ label, value }) => `${label} from ${value}`),
        )}
        bins={binsOf(scores, labels)}
        parts={labels.map((label) => ({
          label: hasLabels ? label : 'checks',
          color: hasLabels ? COLORS[label] : 'chart-1',
        }))}
        thresholds={lines.map(({ id, label, value }) => ({ id, label, value }))}
        onThresholdChange={(id, value) => {
          const line = lines.find((one) => one.id === id);
          if (line) onEdit((before) => moveLine(before, line, value));
        }}
      />
      <Dimmed>
        {lines.length === 0
          ? 'decision.yaml draws no line through the scores by themselves, so there is none to move here.'
          : 'Drag a line, or choose it with Tab and move it with the arrow keys: the number in the text follows.'}
      </Dimmed>
    </Stack>
  );
}

interface KeyFigureProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

function KeyFigure({ label, value, hint }: KeyFigureProps) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="1.375rem" fw={600} lh={1.3}>
        {value}
        {hint !== undefined && (
          <Dimmed span display="block" fw={400}>
            {hint}
          </Dimmed>
        )}
      </Text>
    </div>
  );
}

/** Bins of five scores; 100 stands in a bin of its own. */
function binsOf(
  scores: Replay['scores']['base'],
  labels: readonly (typeof LABELS)[number][],
): readonly Bin[] {
  return Array.from({ length: Math.ceil(scores.length / BIN) }, (_, index) => {
    const from = index * BIN;
    const own = scores.slice(from, from + BIN);
    return {
      from,
      to: from + BIN,
      counts: labels.map((label) => own.reduce((sum, counts) => sum + counts[label], 0)),
    };
  });
}

function describe({ cases, figures }: Replay, lines: readonly string[]): string {
  const blocked = formatShare(figures.candidate.block_rate.share);
  return `${formatCounted(cases.total, 'check')}, ${blocked} of them blocked. ${lines.join(', ')}.`;
}
