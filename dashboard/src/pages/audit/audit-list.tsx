import { Code, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useAccountNames } from '../../account-in-view.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { formatInstant } from '../../format/times.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Nothing } from '../../ui/nothing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deepDetail, describeDeed, describeDetail } from './audit-text.ts';

export function AuditList({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const nameOf = useAccountNames();
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'when',
      header: 'When',
      render: ({ at }) => (
        <>
          <RelativeTime at={at} />
          <Dimmed fw={400} style={{ whiteSpace: 'nowrap' }}>
            {formatInstant(at)}
          </Dimmed>
        </>
      ),
    },
    { key: 'what', header: 'What', render: (entry) => <Deed entry={entry} /> },
    {
      key: 'account',
      header: 'Account',
      render: ({ account_id }) => (account_id === null ? <Nothing /> : nameOf(account_id)),
    },
  ];
  return (
    <DataTable
      caption="Audit trail"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconHistory} title="Nothing found">
          Signing in, keys, people, rules, lists, labels and the erasing of records leave an entry here.
          Nothing that fits the choice above is among them.
        </EmptyState>
      }
    />
  );
}

function Deed({ entry }: { readonly entry: AuditEntry }) {
  const detail = describeDetail(entry);
  const deep = deepDetail(entry);
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <div>
        <strong>{entry.person}</strong> {describeDeed(entry)}
      </div>
      {detail !== '' && <Dimmed>{detail}</Dimmed>}
      {deep !== null && (
        <details>
          <summary>
            <Text size="xs" span>
              Details
            </Text>
          </summary>
          <Code block>{deep}</Code>
        </details>
      )}
    </Stack>
  );
}
