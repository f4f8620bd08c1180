import { Badge, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconListCheck, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import {
  ENTRIES_A_PAGE,
  type ListEntry,
  type OwnList,
  useChangeList,
  useEffectOfChange,
} from '../../api/lists.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { entryColumns } from './entry-columns.tsx';
import { EntryPages, lastPageOf } from './entry-pages.tsx';
import { FileMistakes, useEntryEditing } from './use-entry-editing.tsx';

const MEANING = {
  allow: 'Addresses on this list are never blocked by the rules. The score is still computed.',
  deny: 'Addresses on this list are always blocked, unless the allow list has an entry as specific.',
} as const;

/** The entries of one of the operator's own lists. */
export function EntryList({
  list: { list: name, file, version, entries, faults },
}: {
  readonly list: OwnList;
}) {
  const change = useChangeList(name);
  const effectOf = useEffectOfChange(name);
  const [wanted, setWanted] = useState('');
  const [chosenPage, choosePage] = useState(1);
  const found = entries.filter((entry) => matches(entry, wanted));
  // The page may be gone with the last of its entries.
  const page = Math.min(chosenPage, lastPageOf(found.length));
  const { add, edit, remove, notice, dialogs } = useEntryEditing({
    list: name,
    version,
    entries,
    isReady: faults.length === 0,
    effectOf,
    change: change.mutateAsync,
    afterRemoval:
      name === 'allow'
        ? 'The rules alone decide on it from then on.'
        : 'It is no longer blocked for standing here; the rules alone decide.',
  });
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end">
        <Dimmed size="sm" maw="36rem">
          {MEANING[name]}
        </Dimmed>
        <Group gap="xs">
          {(entries.length > 5 || wanted !== '') && (
            <TextInput
              aria-label="Find an entry"
              placeholder="Find"
              leftSection={<IconSearch size={14} aria-hidden />}
              value={wanted}
              onChange={(event) => {
                setWanted(event.currentTarget.value);
                choosePage(1);
              }}
            />
          )}
          {entries.length > 0 && add}
        </Group>
      </Group>
      {notice}
      {faults.length > 0 ? (
        <FileMistakes {...{ file, faults }} />
      ) : (
        <>
          <DataTable
            caption={`Entries of ${name}`}
            columns={entryColumns<ListEntry>({
              edit,
              remove,
              mark: ({ is_contested }) => is_contested && <Contested name={name} />,
            })}
            rows={found.slice((page - 1) * ENTRIES_A_PAGE, page * ENTRIES_A_PAGE)}
            rowKey={({ value, is_repeated }) => `${value} ${is_repeated}`}
            empty={
              wanted !== '' ? (
                <Text size="sm">{`No entry has "${wanted}" in it.`}</Text>
              ) : (
                <EmptyState icon={IconListCheck} title="No entries yet" action={add}>
                  An entry is an address (<Code>jane@example.org</Code>), a domain (<Code>example.org</Code>)
                  or a domain with all below it (<Code>.example.org</Code>). It bears a reason, an owner, and
                  where it should not last, a day.
                </EmptyState>
              )
            }
          />
          <EntryPages found={found.length} page={page} onPage={choosePage} />
        </>
      )}
      {dialogs}
    </Stack>
  );
}

function matches({ value, reason, owner }: ListEntry, wanted: string): boolean {
  const word = wanted.trim().toLowerCase();
  return [value, reason, owner].some((text) => text.toLowerCase().includes(word));
}

function Contested({ name }: { readonly name: OwnList['list'] }) {
  return (
    <Badge size="sm" color="orange">
      {name === 'deny' ? 'allowed too: ALLOW wins' : 'denied too: ALLOW wins'}
    </Badge>
  );
}
