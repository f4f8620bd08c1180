import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';
import { useChange } from './use-change.ts';

export type OwnList = components['schemas']['own_list'];
export type ListEntry = components['schemas']['list_entry'];
export type Download = components['schemas']['downloaded_list'];
export type DataList = components['schemas']['data_list'];
export type NamedList = components['schemas']['named_list'];
export type NamedEntry = components['schemas']['named_entry'];
export type ListEffect = components['schemas']['list_effect'];
export type Published = components['schemas']['rules_published'];

/** What a dialog sends; without `expires` the entry holds for good. Entries of allow and deny have a reason and an owner. */
export interface GivenEntry {
  readonly value: string;
  readonly reason?: string;
  readonly owner?: string;
  readonly expires?: string;
}

export type ListChange =
  | { readonly kind: 'add'; readonly entry: GivenEntry }
  | { readonly kind: 'replace'; readonly value: string; readonly entry: GivenEntry }
  | { readonly kind: 'remove'; readonly value: string };

/** A change of the list at `version`: refused with `list_changed` where the list is of another version by now. */
export interface ChangeOfVersion {
  readonly version: string;
  readonly change: ListChange;
}

const KEY = ['lists'] as const;
/** Poll interval while a list was never downloaded: a first download takes seconds. */
const LOOK_MS = 5_000;

export function useLists() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => answerOf(api.GET('/dashboard/api/lists', { signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.downloads.some(({ state }) => state === 'missing') ? LOOK_MS : false,
  });
}

function ofOwnList(change: ListChange) {
  return change.kind === 'remove' ? change : { ...change, entry: { reason: '', owner: '', ...change.entry } };
}

export function isListChanged(error: unknown): boolean {
  return hasCode(error, 'list_changed');
}

/** Reads the lists anew after `list_changed`, so that the next try is of the current version. */
function useAnewWhenChanged() {
  const client = useQueryClient();
  return async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    try {
      return await asked;
    } catch (error) {
      if (isListChanged(error)) await client.invalidateQueries({ queryKey: KEY });
      throw error;
    }
  };
}

export type EffectOf = (change: ListChange, signal?: AbortSignal) => Promise<ListEffect>;
export type EffectOfVersion = (change: ChangeOfVersion, signal?: AbortSignal) => Promise<ListEffect>;

/** What a change would do to the checks on record; nothing is changed. */
export function useEffectOfChange(list: OwnList['list']): EffectOfVersion {
  const anew = useAnewWhenChanged();
  return ({ version, change }, signal) =>
    anew(
      answerOf(
        api.POST('/dashboard/api/lists/{list}/effect', {
          params: { path: { list } },
          body: { version, change: ofOwnList(change) },
          ...(signal && { signal }),
        }),
      ),
    );
}

export const ENTRIES_A_PAGE = 50;

/** A named list with a page of the entries that a search finds; the page before is shown until the next is there. */
export function useNamedList(list: string, search: string, offset: number) {
  const query = { search, offset, limit: ENTRIES_A_PAGE };
  return useQuery({
    queryKey: [...KEY, 'named', list, query],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/dashboard/api/lists/named/{list}/entries', { params: { path: { list }, query }, signal }),
      ),
    placeholderData: keepPreviousData,
  });
}

export function useEffectOfNamedChange(list: string): EffectOfVersion {
  const anew = useAnewWhenChanged();
  return (body, signal) =>
    anew(
      answerOf(
        api.POST('/dashboard/api/lists/named/{list}/effect', {
          params: { path: { list } },
          body,
          ...(signal && { signal }),
        }),
      ),
    );
}

export function useChangeNamedList(list: string) {
  return useChange([KEY], (body: ChangeOfVersion) =>
    answerOf(api.POST('/dashboard/api/lists/named/{list}/changes', { params: { path: { list } }, body })),
  );
}

/** A named list to be made; a `txt` list has no description and no owner. */
export type NewNamedList = components['schemas']['new_named_list'];

/** Which checks on record the new list would name; nothing is changed. */
export function effectOfNewList(list: NewNamedList) {
  return answerOf(api.POST('/dashboard/api/lists/named-effect', { body: { list } }));
}

export function useMakeNamedList() {
  return useChange([KEY], (list: NewNamedList) =>
    answerOf(api.POST('/dashboard/api/lists/named', { body: { list } })),
  );
}

export function useChangeList(list: OwnList['list']) {
  return useChange([KEY], ({ version, change }: ChangeOfVersion) =>
    answerOf(
      api.POST('/dashboard/api/lists/{list}/changes', {
        params: { path: { list } },
        body: { version, change: ofOwnList(change) },
      }),
    ),
  );
}

export type DownloadEffect = Awaited<ReturnType<typeof effectOfDownload>>;

interface DownloadChange {
  readonly change: 'update' | 'rollback';
  /** Judges the download as if a refusal were overridden. */
  readonly accept: boolean;
}

/** What an update or a rollback would do. An update is downloaded to tell; nothing is changed. */
export function effectOfDownload(list: string, body: DownloadChange, signal: AbortSignal) {
  return answerOf(
    api.POST('/dashboard/api/lists/downloads/{list}/effect', { params: { path: { list } }, body, signal }),
  );
}

export interface Update {
  readonly list: string;
  readonly accept: boolean;
  /** The `download` of the effect that was shown; null where no effect could be told. */
  readonly expected: string | null;
}

export function useUpdateDownload() {
  return useChange([KEY], ({ list, accept, expected }: Update) =>
    answerOf(
      api.POST('/dashboard/api/lists/downloads/{list}/update', {
        params: { path: { list } },
        body: { accept, ...(expected !== null && { expected }) },
      }),
    ),
  );
}

export function useRollDownloadBack() {
  return useChange([KEY], ({ list, expected }: Omit<Update, 'accept'>) =>
    answerOf(
      api.POST('/dashboard/api/lists/downloads/{list}/rollback', {
        params: { path: { list } },
        body: { ...(expected !== null && { expected }) },
      }),
    ),
  );
}
