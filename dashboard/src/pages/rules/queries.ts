import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { hasCode } from '../../api/api-error.ts';
import { answerOf, api } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useChange } from '../../api/use-change.ts';
import type { RuleFiles } from './language/names.ts';
import type { RuleLanguage } from './language/suggestions.ts';

type Schemas = components['schemas'];
export type Rules = Schemas['rules'];
export type Draft = Schemas['rule_draft'];
export type Problem = Schemas['rule_problem'];
export type Replay = Schemas['rule_replay'];
export type ReplayAnswer = Schemas['rule_replay_answer'];
export type Tests = Schemas['rule_tests'];
export type Published = Schemas['rules_published'];
export type Version = Schemas['rule_version'];
export type Comparison = Schemas['rule_comparison'];
export type ShadowReport = Schemas['shadow_report'];

export const RULES_KEY = ['rules'] as const;
/** Poll interval: how soon the page sees that another person has saved or published. */
export const WATCH_MS = 10_000;

export const rulesQuery = queryOptions({
  queryKey: [...RULES_KEY, 'now'],
  queryFn: ({ signal }) => answerOf(api.GET('/dashboard/api/rules', { signal })),
});

export const languageQuery = queryOptions({
  queryKey: [...RULES_KEY, 'language'],
  queryFn: async ({ signal }) =>
    // Schemas are read as they come: their type says only that they are objects.
    (await answerOf(api.GET('/dashboard/api/rules/language', { signal }))) as unknown as RuleLanguage,
  staleTime: Number.POSITIVE_INFINITY,
});

export function draftQuery(id: string | null) {
  return queryOptions({
    queryKey: [...RULES_KEY, 'draft', id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/dashboard/api/rules/drafts/{draft_id}', {
          params: { path: { draft_id: id ?? '' } },
          signal,
        }),
      ),
    // Not for a draft that is gone: it does not come back, and a refetch would take its text off the page meanwhile.
    enabled: ({ state }) => id !== null && !isGone(state.error),
    staleTime: 0,
  });
}

/** Whether the draft that was asked for was published or discarded. */
export function isGone(error: unknown): boolean {
  return hasCode(error, 'not_found');
}

/** A text as it was typed; `version` is another with each change. */
export interface Typed {
  readonly files: RuleFiles;
  readonly version: number;
}

/** A text as it is sent: as changes of the rules in force, which the service has. A slow line need not carry all files with each change. */
export interface Judged extends Pick<Typed, 'version'> {
  readonly changes: { readonly files: Record<string, string | null>; readonly base_digest: string };
}

export function useLint({ changes, version }: Judged) {
  return useQuery({
    queryKey: [...RULES_KEY, 'lint', version],
    queryFn: ({ signal }) => answerOf(api.POST('/dashboard/api/rules/lint', { body: changes, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

export interface HowToReplay {
  readonly days: number;
  readonly costRatio: number;
}

/** The effect of the files. `ruleset`, the hash in force, is part of the cache key alone. */
export function useReplay({ changes, version }: Judged, { days, costRatio }: HowToReplay, ruleset: string) {
  return useQuery({
    queryKey: [...RULES_KEY, 'replay', version, days, costRatio, ruleset],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/dashboard/api/rules/replay', {
          body: { ...changes, days, cost_ratio: costRatio },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

export function useSaveDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision, base_digest, ...rest }: SaveOrder) => {
      const body = { ...rest, ...(base_digest !== '' && { base_digest }) };
      return id === null
        ? answerOf(api.POST('/dashboard/api/rules/drafts', { body }))
        : answerOf(
            api.PATCH('/dashboard/api/rules/drafts/{draft_id}', {
              params: { path: { draft_id: id } },
              body: { revision, ...body },
            }),
          );
    },
    // The page says what stands in the way, and needs the list as it is now.
    onError: () => client.invalidateQueries({ queryKey: rulesQuery.queryKey }),
    onSuccess: (draft) => {
      client.setQueryData(draftQuery(draft.id).queryKey, draft);
      return client.invalidateQueries({ queryKey: rulesQuery.queryKey });
    },
  });
}

export interface SaveOrder {
  /** Null for a new draft. */
  readonly id: string | null;
  readonly revision: number;
  /** Digest of the rules that the draft was made from, or that were merged into it; empty where there is none to send. */
  readonly base_digest: string;
  readonly name?: string;
  readonly files?: Record<string, string | null>;
}

export function useDiscardDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/dashboard/api/rules/drafts/{draft_id}', { params: { path: { draft_id: id } } })),
    // Not waited for: the page leaves the draft before the list is without it.
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: rulesQuery.queryKey });
    },
  });
}

export function useRollBack() {
  return useChange([RULES_KEY], ({ version, keepLists, why }: RollBackOrder) =>
    answerOf(
      api.POST('/dashboard/api/rules/versions/{version}/rollback', {
        params: { path: { version: String(version) } },
        body: { keep_lists: keepLists, ...(why !== '' && { why }) },
      }),
    ),
  );
}

/** Makes a draft of the files of the challenger with this hash. */
export function useDraftOfChallenger() {
  return useChange([RULES_KEY], (ruleset: string) =>
    answerOf(api.POST('/dashboard/api/rules/challenger/draft', { body: { ruleset } })),
  );
}

interface RollBackOrder {
  readonly version: number;
  readonly keepLists: boolean;
  /** Empty where no reason is given. */
  readonly why: string;
}

/** The effect of a version on the checks of 30 days, compared with the rules in force. */
export function rollBackQuery(version: number, keepLists: boolean) {
  return queryOptions({
    queryKey: [...RULES_KEY, 'roll-back', version, keepLists],
    queryFn: async ({ client, signal }) => {
      const path = { version: String(version) };
      const [old, { in_force }] = await Promise.all([
        answerOf(api.GET('/dashboard/api/rules/versions/{version}', { params: { path }, signal })),
        client.fetchQuery(rulesQuery),
      ]);
      const files = keepLists ? withListsOf(old.files, in_force.files) : old.files;
      const body = { files, days: 30, cost_ratio: 1 };
      return answerOf(api.POST('/dashboard/api/rules/replay', { body, signal }));
    },
    staleTime: 60_000,
  });
}

function withListsOf(files: RuleFiles, now: RuleFiles): Record<string, string> {
  const isList = (path: string) => path === 'allow.yaml' || path === 'deny.yaml';
  return Object.fromEntries([
    ...Object.entries(files).filter(([path]) => !isList(path)),
    ...Object.entries(now).filter(([path]) => isList(path)),
  ]);
}

/** Versions that were in force, the newest first, page by page. */
export const versionsQuery = infiniteQueryOptions({
  queryKey: [...RULES_KEY, 'versions'],
  queryFn: ({ pageParam: before, signal }) =>
    answerOf(
      api.GET('/dashboard/api/rules/versions', {
        params: { query: before === null ? {} : { before } },
        signal,
      }),
    ),
  initialPageParam: null as number | null,
  getNextPageParam: ({ total, versions }, pages) => {
    const shown = pages.reduce((sum, page) => sum + page.versions.length, 0);
    return shown < total ? versions.at(-1)?.version : undefined;
  },
});

/** Each side is `in_force`, the id of a draft, or the number of a version. */
export function comparisonQuery(before: string, after: string) {
  return queryOptions({
    queryKey: [...RULES_KEY, 'comparison', before, after],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/rules/comparison', { params: { query: { before, after } }, signal })),
  });
}

export function shadowQuery(days: number) {
  return queryOptions({
    queryKey: [...RULES_KEY, 'shadow', days],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/rules/shadow', { params: { query: { days } }, signal })),
    staleTime: 60_000,
  });
}
