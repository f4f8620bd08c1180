import { Code, Stack, Table, Text } from '@mantine/core';
import type { AuditEntry } from '../../api/audit.ts';
import { formatInstant } from '../../format/times.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ACTION_TEXT, deepDetail, describeDetail, isAction } from './audit-text.ts';

interface Props {
  readonly entries: readonly AuditEntry[];
  readonly nameOf: (accountId: string) => string;
}

/** One row an entry; on a phone the time stands below the deed. */
export function AuditList({ entries, nameOf }: Props) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" visibleFrom="sm">
            When
          </Table.Th>
          <Table.Th scope="col">What</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Account
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={entry.id}>
            <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap', verticalAlign: 'top' }}>
              <RelativeTime at={entry.at} />
              <Text size="xs" c="dimmed">
                {formatInstant(entry.at)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Deed entry={entry} />
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                <RelativeTime at={entry.at} />
                {entry.account_id !== null && ` · ${nameOf(entry.account_id)}`}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" style={{ verticalAlign: 'top' }}>
              {entry.account_id !== null && nameOf(entry.account_id)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Deed({ entry }: { readonly entry: AuditEntry }) {
  const detail = describeDetail(entry);
  const deep = deepDetail(entry);
  return (
    <Stack gap={2}>
      <div style={{ overflowWrap: 'anywhere' }}>
        <strong>{entry.person}</strong> {isAction(entry.action) ? ACTION_TEXT[entry.action] : entry.action}
      </div>
      {detail !== '' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      )}
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
