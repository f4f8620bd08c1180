import { Group, Stack, Text, TextInput } from '@mantine/core';
import { IconListCheck, IconSearch } from '@tabler/icons-react';
import {
  type NamedEntry,
  useChangeNamedList,
  useEffectOfNamedChange,
  type useNamedList,
} from '../../api/lists.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { entryColumns } from './entry-columns.tsx';
import type { EntryKind } from './entry-dialog.tsx';
import { EntryPages } from './entry-pages.tsx';
import { NamedListHead } from './named-list-head.tsx';
import { FileMistakes, useEntryEditing } from './use-entry-editing.tsx';

interface Props {
  readonly shown: NonNullable<ReturnType<typeof useNamedList>['data']>;
  readonly search: string;
  /** From 1 on. */
  readonly page: number;
  readonly onSearch: (word: string) => void;
  readonly onPage: (page: number) => void;
}

const IN_YAML: EntryKind = {
  label: 'Domain',
  description: 'example.org, or .example.org for the domain and all below it',
  forms: 'Write example.org or .example.org; addresses stand in allow and deny',
  isExplained: false,
  hasOwnerAndDay: true,
};
const IN_TEXT: EntryKind = { ...IN_YAML, hasOwnerAndDay: false };

/** The entries of a named list, page by page. */
export function NamedListShown({ shown, search, page, onSearch, onPage }: Props) {
  const { list, entries, found, total } = shown;
  const effectOf = useEffectOfNamedChange(list.name);
  const change = useChangeNamedList(list.name);
  // The page is beyond the last one: NamedListPage goes to the last one, which is loading.
  const isBeyond = entries.length === 0 && found > 0;
  const isSound = list.faults.length === 0;
  const { add, edit, remove, notice, dialogs } = useEntryEditing({
    list: list.name,
    version: list.version,
    entries,
    kind: list.file.endsWith('.txt') ? IN_TEXT : IN_YAML,
    isReady: isSound,
    isHashed: true,
    effectOf,
    change: change.mutateAsync,
    afterRemoval: 'Rules that look into the list no longer find it by this entry.',
  });
  return (
    <Stack gap="md">
      <NamedListHead list={list} />
      {notice}
      {!isSound && <FileMistakes file={list.file} faults={list.faults} />}
      {isSound && (
        <>
          <Group justify="space-between">
            <TextInput
              aria-label="Find an entry"
              placeholder="Part of an entry, or a domain"
              w="18rem"
              leftSection={<IconSearch size={14} aria-hidden />}
              value={search}
              maxLength={320}
              onChange={(event) => onSearch(event.currentTarget.value)}
            />
            {total > 0 && add}
          </Group>
          <DataTable
            caption={`Entries of ${list.name}`}
            columns={entryColumns<NamedEntry>({ edit, remove })}
            rows={isBeyond ? undefined : entries.map((entry, index) => ({ ...entry, place: index }))}
            rowKey={({ value, place }) => `${value} ${place}`}
            empty={
              total === 0 ? (
                <EmptyState icon={IconListCheck} title="No entries yet" action={add}>
                  An entry is a domain, or with a dot at its front a domain with all below it.
                </EmptyState>
              ) : (
                <Text size="sm">
                  {`No entry has "${search}" in it, nor is "${search}" in the list by one.`}
                </Text>
              )
            }
          />
          <EntryPages found={found} page={page} onPage={onPage} />
        </>
      )}
      {dialogs}
    </Stack>
  );
}
