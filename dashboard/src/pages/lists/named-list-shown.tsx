import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconListCheck, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import {
  ENTRIES_A_PAGE,
  type NamedEntry,
  type Published,
  useChangeNamedList,
  useEffectOfNamedChange,
  type useNamedList,
} from '../../api/lists.ts';
import { formatCount } from '../../format/numbers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EffectDialog } from './effect-dialog.tsx';
import { EffectShown } from './effect-shown.tsx';
import { entryColumns } from './entry-columns.tsx';
import { EntryDialog, type EntryKind } from './entry-dialog.tsx';
import { NamedListHead } from './named-list-head.tsx';
import { PublishedNotice } from './published-notice.tsx';

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
  const effectOf = useEffectOfNamedChange(list);
  const change = useChangeNamedList(list);
  const [published, setPublished] = useState<Published | null>(null);
  const [open, setOpen] = useState<'new' | NamedEntry | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const isSound = list.faults.length === 0;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={!isSound}
      onClick={() => setOpen('new')}
    >
      Add an entry
    </Button>
  );
  return (
    <Stack gap="md">
      <NamedListHead list={list} />
      {published !== null && (
        <PublishedNotice published={published} isHashed onClose={() => setPublished(null)} />
      )}
      {!isSound && (
        <Alert color="red" title={`${list.file} has mistakes`}>
          <Text size="sm">
            Fix them in the file, or on the page “Rules”. Until then the list that was in force before goes
            on.
          </Text>
          <List size="sm" mt={4}>
            {list.faults.map((fault) => (
              <List.Item key={fault} style={{ overflowWrap: 'anywhere' }}>
                {fault}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
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
            columns={entryColumns<NamedEntry>({ edit: setOpen, remove: setRemoved })}
            rows={entries.map((entry, index) => ({ ...entry, place: index }))}
            rowKey={({ value, place }) => `${value} ${place}`}
            empty={
              total === 0 ? (
                <EmptyState icon={IconListCheck} title="No entries yet" action={add}>
                  An entry is a domain, or with a dot at its front a domain with all below it.
                </EmptyState>
              ) : (
                <Text size="sm">
                  {found === 0
                    ? `No entry has "${search}" in it, nor is "${search}" in the list by one.`
                    : 'There are no entries on this page.'}
                </Text>
              )
            }
          />
          <Pages found={found} page={page} count={entries.length} onPage={onPage} />
        </>
      )}
      {open !== null && (
        <EntryDialog
          list={list.name}
          effectOf={effectOf}
          kind={list.file.endsWith('.txt') ? IN_TEXT : IN_YAML}
          entry={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onSave={async (wanted) => {
            setPublished(await change.mutateAsync(wanted));
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
          Rules that look into the list no longer find it by this entry.
        </EffectDialog>
      )}
    </Stack>
  );
}

interface PagesProps extends Pick<Props, 'page' | 'onPage'> {
  readonly found: number;
  /** On this page. */
  readonly count: number;
}

function Pages({ found, page, count, onPage }: PagesProps) {
  if (found <= ENTRIES_A_PAGE && page === 1) return null;
  const first = (page - 1) * ENTRIES_A_PAGE + 1;
  return (
    <Group gap="sm" component="nav" aria-label="Pages of entries">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Text size="sm" role="status">
        {count === 0
          ? `none of ${formatCount(found)}`
          : `${formatCount(first)} to ${formatCount(first + count - 1)} of ${formatCount(found)}`}
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={page * ENTRIES_A_PAGE >= found}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </Group>
  );
}
