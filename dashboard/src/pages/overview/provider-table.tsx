import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Overview } from '../../api/overview.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { percentileColumns } from '../../ui/percentile-columns.ts';

type Provider = Overview['providers'][number];

const COLUMNS: readonly Column<Provider>[] = [
  { key: 'id', header: 'Provider', render: ({ id }) => id },
  { key: 'asked', header: 'Checks', align: 'end', render: ({ timing }) => formatCount(timing.measured) },
  {
    key: 'kept',
    header: 'Kept answer',
    align: 'end',
    render: ({ timing, anew }) => shareOf(timing.measured - anew.measured, timing.measured),
  },
  {
    key: 'unknown',
    header: 'Unknown',
    align: 'end',
    render: ({ unknown, timing }) => shareOf(unknown, timing.measured),
  },
  { key: 'reasons', header: 'Why', render: ({ reasons }) => <Reasons reasons={reasons} /> },
  ...percentileColumns<Provider>(({ anew }) => anew),
];

/** A provider with a p95 below this and nothing unknown is left out. */
const QUICK_US = 1_000;

export function ProviderTable({ overview: { providers } }: { readonly overview: Overview }) {
  const [isWhole, { toggle }] = useDisclosure();
  // Providers that left most unknown come first, then the slowest.
  const sorted = providers.toSorted(
    (a, b) => b.unknown - a.unknown || (b.anew.p95_us ?? 0) - (a.anew.p95_us ?? 0),
  );
  const telling = sorted.filter(({ unknown, anew }) => unknown > 0 || (anew.p95_us ?? 0) >= QUICK_US);
  return (
    <Panel
      title="Providers"
      description="What each left unknown, and how long it took where it had no answer kept. not_run is no failure: there was nothing for it to ask."
      actions={
        telling.length < sorted.length && (
          <Button size="xs" variant="default" aria-expanded={isWhole} onClick={toggle}>
            {isWhole ? 'Only those that tell something' : `All ${sorted.length}`}
          </Button>
        )
      }
    >
      <DataTable
        caption="Providers: what they left unknown and how long they took"
        columns={COLUMNS}
        rows={isWhole ? sorted : telling}
        rowKey={({ id }) => id}
        empty={
          <Text size="sm">Every provider answered all it was asked, each in less than a millisecond.</Text>
        }
      />
    </Panel>
  );
}

function Reasons({ reasons }: Pick<Provider, 'reasons'>) {
  if (reasons.length === 0) return '–';
  return reasons.map(({ reason, checks }) => `${reason} ${formatCount(checks)}`).join(', ');
}

function shareOf(count: number, of: number): string {
  return count === 0 ? '0' : formatShare(count / Math.max(1, of));
}
