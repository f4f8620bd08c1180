import { IconDatabase } from '@tabler/icons-react';
import type { DataList } from '../../api/lists.ts';
import { formatCount, formatDays } from '../../format/numbers.ts';
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
    render: ({ age_days }) => (age_days === null ? '–' : formatDays(age_days)),
  },
];

/** What came with Postern, and what was downloaded, as the providers hold it now. */
export function DataLists({ lists }: { readonly lists: readonly DataList[] | undefined }) {
  return (
    <DataTable
      caption="Lists of the providers"
      columns={COLUMNS}
      rows={lists}
      rowKey={({ provider, name }) => `${provider} ${name}`}
      empty={
        <EmptyState icon={IconDatabase} title="No provider uses a list">
          Providers such as disposable and free_provider bring lists of their own; they are switched off.
        </EmptyState>
      }
    />
  );
}
