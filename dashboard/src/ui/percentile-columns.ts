import type { Overview } from '../api/overview.ts';
import { formatMicroseconds } from '../format/numbers.ts';
import type { Column } from './data-table.tsx';

/** How long something took, in the median and at worst. */
export function percentileColumns<Row>(
  of: (row: Row) => Overview['latency'] | undefined,
): readonly Column<Row>[] {
  return (['p50', 'p95', 'p99'] as const).map((rank) => ({
    key: rank,
    header: rank,
    align: 'end',
    render: (row) => formatMicroseconds(of(row)?.[`${rank}_us`] ?? null),
  }));
}
