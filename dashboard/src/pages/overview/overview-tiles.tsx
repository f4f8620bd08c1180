import { SimpleGrid } from '@mantine/core';
import type { Overview } from '../../api/overview.ts';
import { formatCount, formatMicroseconds, formatShare } from '../../format/numbers.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { countOf, periodsOf } from './decisions.ts';

export function OverviewTiles({ overview }: { readonly overview: Overview | undefined }) {
  const shares = overview && periodsOf(overview).map(({ bucket }) => blockedShare(bucket) ?? 0);
  const worst = overview && worstProvider(overview);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <StatTile
        label="Checks"
        value={overview && formatCount(overview.checks)}
        hint={overview && testHint(overview.test_checks)}
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
        hint={overview && `${formatCount(overview.blocked)} of ${formatCount(overview.checks)} checks`}
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
      />
      <StatTile
        label="Missing signals"
        value={overview && (worst ? formatShare(worst.share) : 'none')}
        hint={worst && `of the checks that asked ${worst.id}, most often for ${worst.reason}`}
      />
    </SimpleGrid>
  );
}

type Bucket = Overview['buckets'][number] | undefined;

function checksOf(bucket: Bucket): number {
  return bucket === undefined ? 0 : countOf(bucket.decisions, 'ALLOW') + countOf(bucket.decisions, 'BLOCK');
}

function blockedShare(bucket: Bucket): number | null {
  return bucket === undefined ? null : countOf(bucket.decisions, 'BLOCK') / checksOf(bucket);
}

/** `not_run` is no failure: a provider says so where there is nothing for it to ask. */
function worstProvider({ providers }: Overview) {
  const failing = providers.flatMap(({ id, timing, reasons }) => {
    const failures = reasons.filter(({ reason }) => reason !== 'not_run');
    const [first] = failures;
    const share = failures.reduce((sum, { checks }) => sum + checks, 0) / Math.max(1, timing.measured);
    return first === undefined ? [] : [{ id, share, reason: first.reason }];
  });
  return failing.toSorted((a, b) => b.share - a.share)[0];
}

function testHint(testChecks: number): string {
  if (testChecks === 0) return 'none of test keys';
  return `and ${formatCount(testChecks)} of test keys, in no figure here`;
}
