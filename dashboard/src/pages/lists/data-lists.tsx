import { IconDatabase } from '@tabler/icons-react';
import type { DataList, Download } from '../../api/lists.ts';
import { formatCount, formatCounted } from '../../format/numbers.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

const COLUMNS: readonly Column<DataList>[] = [
  { key: 'name', header: 'List', render: ({ name }) => name },
  { key: 'provider', header: 'Provider', render: ({ provider }) => provider },
  { key: 'version', header: 'Version', render: ({ version }) => version ?? '–' },
  { key: 'entries', header: 'Entries', align: 'end', render: ({ entries }) => formatCount(entries) },
  {
    key: 'age',
    header: 'Age',
    align: 'end',
    render: ({ age_days }) => (age_days === null ? '–' : formatCounted(age_days, 'day')),
  },
];

interface Props {
  readonly lists: readonly DataList[];
  readonly downloads: readonly Download[];
}

/** Built-in and downloaded lists, as the providers hold them now. */
export function DataLists({ lists, downloads }: Props) {
  const named = lists.map((list) => ({
    ...list,
    // The providers name a downloaded list by its id.
    name: downloads.find((download) => download.list === list.name)?.name ?? list.name,
  }));
  return (
    <DataTable
      caption="Lists of the providers"
      columns={COLUMNS}
      rows={named}
      rowKey={({ provider, name }) => `${provider} ${name}`}
      empty={
        <EmptyState icon={IconDatabase} title="No provider uses a list">
          Providers such as disposable and free_provider bring lists of their own; they are switched off.
        </EmptyState>
      }
    />
  );
}
