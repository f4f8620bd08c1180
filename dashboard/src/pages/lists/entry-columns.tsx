import { Badge, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NamedEntry } from '../../api/lists.ts';
import { formatDay } from '../../format/times.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Nothing } from '../../ui/nothing.tsx';

/** The members that entries of every kind of list have. */
type Shown = Pick<
  NamedEntry,
  'value' | 'stands_for' | 'reason' | 'owner' | 'expires' | 'state' | 'is_repeated'
>;

interface Acts<Entry> {
  readonly edit: (entry: Entry) => void;
  readonly remove: (value: string) => void;
  /** Shown beside the value. */
  readonly mark?: (entry: Entry) => ReactNode;
}

export function entryColumns<Entry extends Shown>({
  edit,
  remove,
  mark,
}: Acts<Entry>): readonly Column<Entry>[] {
  return [
    { key: 'value', header: 'Entry', render: (entry) => <Value {...entry}>{mark?.(entry)}</Value> },
    { key: 'reason', header: 'Reason', render: ({ reason }) => reason ?? <Nothing /> },
    { key: 'owner', header: 'Owner', render: ({ owner }) => owner ?? <Nothing /> },
    { key: 'expires', header: 'Until', render: (entry) => <Until {...entry} /> },
    {
      key: 'acts',
      header: 'What can be done',
      isHeaderHidden: true,
      align: 'end',
      render: (entry) => (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => edit(entry)}
            aria-label={`Change ${entry.value}`}
          >
            Change
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => remove(entry.value)}
            aria-label={`Remove ${entry.value}`}
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ];
}

function Value({
  value,
  stands_for,
  is_repeated,
  children,
}: Pick<Shown, 'value' | 'stands_for' | 'is_repeated'> & { readonly children: ReactNode }) {
  return (
    <Group gap="xs">
      <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {stands_for !== value.toLowerCase() && (
        <Dimmed span style={{ overflowWrap: 'anywhere' }}>
          {`stands for ${stands_for}`}
        </Dimmed>
      )}
      {children}
      {is_repeated && (
        <Badge size="sm" color="gray">
          stands here twice
        </Badge>
      )}
    </Group>
  );
}

function Until({ expires, state }: Pick<Shown, 'expires' | 'state'>) {
  if (expires === null) return 'for good';
  return (
    <Group gap="xs">
      <span>{formatDay(expires)}</span>
      {state !== 'holds' && (
        <Badge size="sm" color={state === 'expired' ? 'red' : 'yellow'}>
          {state === 'expired' ? 'over: does nothing' : 'soon over'}
        </Badge>
      )}
    </Group>
  );
}
