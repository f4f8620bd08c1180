import { Alert, Badge, Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconListCheck, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ListEntry,
  type OwnList,
  type Published,
  useChangeList,
  useEffectOfChange,
} from '../../api/lists.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EffectDialog } from './effect-dialog.tsx';
import { EffectShown } from './effect-shown.tsx';
import { entryColumns } from './entry-columns.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { PublishedNotice } from './published-notice.tsx';

interface Props {
  readonly name: OwnList['list'];
  /** Undefined while it is on its way. */
  readonly list: OwnList | undefined;
}

const MEANING = {
  allow: 'Addresses on this list are never blocked by the rules. The score is still computed.',
  deny: 'Addresses on this list are always blocked, unless the allow list has an entry as specific.',
} as const;

/** The entries of one of the operator's own lists. */
export function EntryList({ name, list }: Props) {
  const made = { list: name, version: list?.version ?? '' };
  const change = useChangeList(made);
  const effectOf = useEffectOfChange(made);
  const [published, setPublished] = useState<Published | null>(null);
  /** `new`, or the entry that is edited. */
  const [open, setOpen] = useState<'new' | ListEntry | null>(null);
  const [wanted, setWanted] = useState('');
  const [removed, setRemoved] = useState<string | null>(null);
  const shown = list?.entries.filter((entry) => matches(entry, wanted));
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={list === undefined || list.faults.length > 0}
      onClick={() => setOpen('new')}
    >
      Add an entry
    </Button>
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <Text size="sm" c="dimmed" maw="36rem">
          {MEANING[name]}
        </Text>
        <Group gap="xs">
          {list !== undefined && list.entries.length > 5 && (
            <TextInput
              aria-label="Find an entry"
              placeholder="Find"
              leftSection={<IconSearch size={14} aria-hidden />}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          )}
          {list !== undefined && list.entries.length > 0 && add}
        </Group>
      </Group>
      {published !== null && <PublishedNotice published={published} onClose={() => setPublished(null)} />}
      {list !== undefined && list.faults.length > 0 && (
        <Alert color="red" title={`${list.file} has mistakes`}>
          <Text size="sm">
            Fix them in the file, or on the page “Rules”. Until then the list that was in force before goes
            on.
          </Text>
          <List size="sm" mt={4}>
            {list.faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {(list === undefined || list.faults.length === 0) && (
        <DataTable
          caption={`Entries of ${name}`}
          columns={entryColumns<ListEntry>({
            edit: setOpen,
            remove: setRemoved,
            mark: ({ is_contested }) => is_contested && <Contested name={name} />,
          })}
          rows={shown}
          rowKey={({ value, is_repeated }) => `${value} ${is_repeated}`}
          empty={
            wanted !== '' ? (
              <Text size="sm">{`No entry has "${wanted}" in it.`}</Text>
            ) : (
              <EmptyState icon={IconListCheck} title="No entries yet" action={add}>
                An entry is an address (<Code>jane@example.org</Code>), a domain (<Code>example.org</Code>) or
                a domain with all below it (<Code>.example.org</Code>). It bears a reason, an owner, and where
                it should not last, a day.
              </EmptyState>
            )
          }
        />
      )}
      {open !== null && (
        <EntryDialog
          list={name}
          effectOf={effectOf}
          entry={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onSave={async (wantedChange) => {
            setPublished(await change.mutateAsync(wantedChange));
            setOpen(null);
          }}
        />
      )}
      {removed !== null && (
        <EffectDialog
          title={`Remove ${removed}?`}
          confirmLabel="Remove"
          deed="The entry was not removed"
          look={(signal) => effectOf({ kind: 'remove', value: removed }, signal)}
          show={(effect) => <EffectShown effect={effect} />}
          onConfirm={async () => setPublished(await change.mutateAsync({ kind: 'remove', value: removed }))}
          onClose={() => setRemoved(null)}
        >
          {name === 'allow'
            ? 'The rules alone decide on it from then on.'
            : 'It is no longer blocked for standing here; the rules alone decide.'}
        </EffectDialog>
      )}
    </Stack>
  );
}

function matches({ value, reason, owner }: ListEntry, wanted: string): boolean {
  const word = wanted.trim().toLowerCase();
  return [value, reason, owner].some((text) => text.toLowerCase().includes(word));
}

function Contested({ name }: Pick<Props, 'name'>) {
  return (
    <Badge size="sm" variant="light" color="orange" tt="none">
      {name === 'deny' ? 'allowed too: ALLOW wins' : 'denied too: ALLOW wins'}
    </Badge>
  );
}
