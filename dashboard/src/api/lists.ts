import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type OwnList = components['schemas']['own_list'];
export type ListEntry = components['schemas']['list_entry'];
export type Download = components['schemas']['downloaded_list'];
export type DataList = components['schemas']['data_list'];
export type ListEffect = components['schemas']['list_effect'];
export type Published = components['schemas']['rules_published'];

/** What a dialog gives; no day means for good. */
export interface GivenEntry {
  readonly value: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

export type ListChange =
  | { readonly kind: 'add'; readonly entry: GivenEntry }
  | { readonly kind: 'replace'; readonly value: string; readonly entry: GivenEntry }
  | { readonly kind: 'remove'; readonly value: string };

const KEY = ['lists'] as const;

export function useLists() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => answerOf(api.GET('/dashboard/api/lists', { signal })),
  });
}

/** What a change would make of the checks on record; nothing is changed. */
export function useEffectOfChange({ list, version }: Pick<OwnList, 'list' | 'version'>) {
  const client = useQueryClient();
  return async (change: ListChange, signal?: AbortSignal): Promise<ListEffect> => {
    try {
      return await answerOf(
        api.POST('/dashboard/api/lists/{list}/effect', {
          params: { path: { list } },
          body: { version, change },
          ...(signal && { signal }),
        }),
      );
    } catch (error) {
      // The next try is of the list as it is now.
      if (error instanceof ApiError && error.code === 'list_changed')
        await client.invalidateQueries({ queryKey: KEY });
      throw error;
    }
  };
}

/** Whatever came of it, the lists may be others now. */
function useListMutation<Input, Output>(call: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => client.invalidateQueries({ queryKey: KEY }) });
}

export function useChangeList({ list, version }: Pick<OwnList, 'list' | 'version'>) {
  return useListMutation((change: ListChange) =>
    answerOf(
      api.POST('/dashboard/api/lists/{list}/changes', {
        params: { path: { list } },
        body: { version, change },
      }),
    ),
  );
}

export type DownloadEffect = Awaited<ReturnType<typeof effectOfDownload>>;

interface DownloadChange {
  readonly change: 'update' | 'rollback';
  /** As if what is refused were accepted. */
  readonly accept: boolean;
}

/** An update is downloaded for it; nothing is changed. */
export function effectOfDownload(list: string, body: DownloadChange, signal: AbortSignal) {
  return answerOf(
    api.POST('/dashboard/api/lists/downloads/{list}/effect', { params: { path: { list } }, body, signal }),
  );
}

export interface Update {
  readonly list: string;
  readonly accept: boolean;
  /** The download whose effect was looked at. */
  readonly expected: string | null;
}

export function useUpdateDownload() {
  return useListMutation(({ list, accept, expected }: Update) =>
    answerOf(
      api.POST('/dashboard/api/lists/downloads/{list}/update', {
        params: { path: { list } },
        body: { accept, ...(expected !== null && { expected }) },
      }),
    ),
  );
}

export function useRollDownloadBack() {
  return useListMutation((list: string) =>
    answerOf(
      api.POST('/dashboard/api/lists/downloads/{list}/rollback', { params: { path: { list } }, body: {} }),
    ),
  );
}
