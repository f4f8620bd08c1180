import { SimpleGrid } from '@mantine/core';
import type { Overview } from '../../api/overview.ts';
import { failuresOf, figuresOf, sharesOf } from '../../api/provider-shares.ts';
import { formatCount, formatCounted, formatMicroseconds, formatShare } from '../../format/numbers.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { type Before, compareAmounts, compareShares } from './compare-before.ts';
import { countOf, periodsOf, sumOf } from './decisions.ts';

interface Props {
  readonly overview: Overview | undefined;
  /** Undefined where there is nothing to compare with, or not yet. */
  readonly before: Before | undefined;
}

export function OverviewTiles({ overview, before }: Props) {
  const shares = overview && periodsOf(overview).map(({ bucket }) => blockedShare(bucket) ?? 0);
  const worst = overview && worstProvider(overview);
  const compared = overview && before && compareFigures(overview, before);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <StatTile
        label="Checks"
        value={overview && formatCount(overview.checks)}
        hint={overview && testHint(overview.test_checks)}
        compared={compared?.checks}
        chart={
          overview && (
            <Sparkline
              label="The course of the number of checks"
              values={periodsOf(overview).map(({ bucket }) => checksOf(bucket))}
            />
          )
        }
      />
      <StatTile
        label="Blocked"
        value={overview && formatShare(overview.blocked / overview.checks)}
        hint={overview && `${formatCount(overview.blocked)} of ${formatCounted(overview.checks, 'check')}`}
        compared={compared?.blocked}
        chart={
          shares && <Sparkline label="The course of the share blocked" values={shares} color="chart-block" />
        }
      />
      <StatTile
        label="Decision time, p95"
        value={overview && formatMicroseconds(overview.latency.p95_us)}
        hint={
          overview &&
          `p50 ${formatMicroseconds(overview.latency.p50_us)}, p99 ${formatMicroseconds(overview.latency.p99_us)}`
        }
        compared={compared?.latency}
      />
      <StatTile
        label="Missing signals"
        value={overview && (worst ? formatShare(worst.share) : 'none')}
        hint={worst && `of the checks that asked ${worst.id}, most often for ${worst.reason}`}
        compared={compared?.missing}
      />
    </SimpleGrid>
  );
}

/** Compares each figure with that of the time before; missing signals are compared for the same provider. */
function compareFigures(overview: Overview, { overview: before, period }: Before) {
  const worst = worstProvider(overview) ?? worstProvider(before);
  const shareIn = (overview: Overview) =>
    worst === undefined ? 0 : (sharesOf(figuresOf(overview, worst.id)).failed ?? 0);
  if (before.checks === 0) return { checks: compareAmounts(overview.checks, 0, period) };
  return {
    checks: compareAmounts(overview.checks, before.checks, period),
    blocked: compareShares(overview.blocked / overview.checks, before.blocked / before.checks, period),
    latency: compareAmounts(overview.latency.p95_us, before.latency.p95_us, period),
    missing: compareShares(shareIn(overview), shareIn(before), period),
  };
}

type Bucket = Overview['buckets'][number] | undefined;

function checksOf(bucket: Bucket): number {
  return bucket === undefined ? 0 : sumOf(bucket.decisions);
}

function blockedShare(bucket: Bucket): number | null {
  return bucket === undefined ? null : countOf(bucket.decisions, 'BLOCK') / checksOf(bucket);
}

function worstProvider({ providers }: Overview) {
  const failing = providers.flatMap((provider) => {
    const [first] = failuresOf(provider);
    const share = sharesOf(provider).failed ?? 0;
    return first === undefined ? [] : [{ id: provider.id, share, reason: first.reason }];
  });
  return failing.toSorted((a, b) => b.share - a.share)[0];
}

function testHint(testChecks: number): string {
  if (testChecks === 0) return 'none of test keys';
  return `and ${formatCount(testChecks)} of test keys, in no figure here`;
}
