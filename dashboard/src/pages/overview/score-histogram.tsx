import type { Overview } from '../../api/overview.ts';
import { formatCounted, sumOf } from '../../format/numbers.ts';
import { Histogram } from '../../ui/charts/histogram.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useLinkToChecks } from './link-to-checks.ts';

const PARTS = [
  { label: 'Allowed', color: 'chart-allow' },
  { label: 'Blocked', color: 'chart-block' },
] as const;
const HIGHEST = 100;
const STEP = 5;

export function ScoreHistogram({ overview }: { readonly overview: Overview }) {
  const linkTo = useLinkToChecks();
  const bins = Array.from({ length: HIGHEST / STEP }, (_, index) => {
    const from = index * STEP;
    // 100 is a score too, and the last bin has it.
    const to = from + STEP === HIGHEST ? HIGHEST + 1 : from + STEP;
    const inside = overview.scores.filter(({ score }) => score >= from && score < to);
    const counts = [sumOf(inside.map(({ allowed }) => allowed)), sumOf(inside.map(({ blocked }) => blocked))];
    return { from, to: from + STEP, counts };
  });
  return (
    <Panel
      title="Scores"
      description="How high the risk was held to be, from 0 to 100. Heights are by the square root, so that few are seen beside many; a bar leads to its checks."
    >
      <Histogram
        title="Scores"
        description={`The scores of ${formatCounted(overview.checks, 'check')}, by what they were answered.`}
        bins={bins}
        parts={PARTS}
        height={220}
        isSquareRoot
        linkTo={({ from, to }) =>
          linkTo({ min_score: String(from), max_score: String(to === HIGHEST ? HIGHEST : to - 1) })
        }
      />
    </Panel>
  );
}
