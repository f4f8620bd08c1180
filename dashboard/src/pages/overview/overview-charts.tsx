import { SimpleGrid } from '@mantine/core';
import type { Overview } from '../../api/overview.ts';
import { ChecksOverTime } from './checks-over-time.tsx';
import type { Before } from './compare-before.ts';
import { LatencyOverTime } from './latency-over-time.tsx';
import { ProviderTable } from './provider-table.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { TopDomains } from './top-domains.tsx';
import { TopRules } from './top-rules.tsx';

interface Props {
  /** Undefined while it is not known yet. */
  readonly overview: Overview | undefined;
  readonly before: Before | undefined;
}

/** The charts below the figures, loaded with their libraries. */
export default function OverviewCharts({ overview, before }: Props) {
  if (overview === undefined) return null;
  return (
    <>
      <ChecksOverTime overview={overview} before={before} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ScoreHistogram overview={overview} />
        <LatencyOverTime overview={overview} />
        <TopRules overview={overview} />
        <TopDomains overview={overview} />
      </SimpleGrid>
      <ProviderTable overview={overview} />
    </>
  );
}
