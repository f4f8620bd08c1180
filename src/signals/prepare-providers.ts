import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import type {
  Answer,
  Context,
  DataList,
  DownloadedList,
  ListEntry,
  Ports,
  Setup,
  SignalProvider,
} from '../provider-kit/index.ts';
import { AnswerCache } from './answer-cache.ts';

/**
 * Longer than any data takes to load. A start without an end would say nothing, and once nothing else is waited
 * for, node ends with 0 as if all were well; a reload without an end would hold up every later one.
 */
export const START_PATIENCE_MS = 30_000;

/** What `task` resolves to; rejects when it is not ready in time. */
export async function inTime<Result>(task: PromiseLike<Result> | Result): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`is not ready after ${START_PATIENCE_MS / 1000} seconds`)),
    START_PATIENCE_MS,
  );
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What one provider works with until the next reload. */
export interface PreparedProvider {
  /** All that `check` is given but the needs and the signal of one question. Made once, not once for each check. */
  readonly context: Context<unknown>;
  readonly source: string | undefined;
  readonly lists: readonly DataList[];
  /** Lives and dies with the thresholds that its answers were found under. */
  readonly cache: AnswerCache | undefined;
  /** Of a local provider that is kept by domain: its answers, by the domain and the facts that it needs. */
  readonly byDomain: LRUCache<string, Answer> | undefined;
  /** It asked for the downloaded lists. */
  readonly readsDownloads: boolean;
  /** It asked for the operator's own lists. */
  readonly readsLists: boolean;
}

export interface PreparedProviders {
  readonly byId: ReadonlyMap<string, PreparedProvider>;
  /** By provider, the version of its data; goes into every record. */
  readonly sources: Readonly<Record<string, string>>;
  /** The operator's lists that they were prepared with. */
  readonly lists: PreparationInputs['lists'];
}

/** Distinct domains kept for each provider. Nearly all traffic is from a few hundred. */
const MAX_DOMAINS = 1_000;

/** The signal of local providers: they are never cut off. */
const NEVER = new AbortController().signal;
const NO_NEEDS = Object.freeze({});

export interface PreparationInputs {
  /** By provider id, checked and with defaults. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly thresholds: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly lists: { readonly allow: readonly ListEntry[]; readonly deny: readonly ListEntry[] };
  /** None unless told. */
  readonly downloads?: Setup['downloads'];
}

/**
 * Runs every provider's `prepare`, side by side, but for those whose preparation is `kept`; throws one StartupError that
 * names each that failed.
 */
export async function prepareProviders(
  providers: readonly SignalProvider[],
  inputs: PreparationInputs,
  portsOf: (provider: SignalProvider) => Partial<Ports>,
  kept: ReadonlyMap<string, PreparedProvider> = new Map(),
): Promise<PreparedProviders> {
  const faults: string[] = [];
  const load = inputs.downloads ?? (async () => []);
  let loading: Promise<readonly DownloadedList[]> | undefined;
  const prepared = await Promise.all(
    providers.map(async (provider) => {
      const known = kept.get(provider.id);
      if (known) return [provider.id, known] as const;
      const options = inputs.options[provider.id] ?? {};
      const thresholds = inputs.thresholds[provider.id] ?? {};
      const cache =
        provider.stage === 'network' && provider.cache ? new AnswerCache(provider.cache) : undefined;
      const byDomain =
        provider.stage === 'local' && provider.cache
          ? new LRUCache<string, Answer>({ max: MAX_DOMAINS })
          : undefined;
      let state: unknown;
      let source: string | undefined;
      let lists: readonly DataList[] = [];
      let readsDownloads = false;
      let readsLists = false;
      const downloads = () => {
        readsDownloads = true;
        loading ??= load();
        return loading;
      };
      try {
        const setup: Setup = {
          options,
          thresholds,
          get lists() {
            readsLists = true;
            return inputs.lists;
          },
          downloads,
        };
        const result = await inTime(provider.prepare?.(setup));
        state = result?.state;
        source = result?.source;
        lists = result?.lists ?? [];
      } catch (error) {
        faults.push(`provider "${provider.id}": cannot prepare: ${messageOf(error)}`);
      }
      const ports = portsOf(provider);
      const context = Object.freeze({ ...ports, needs: NO_NEEDS, options, thresholds, state, signal: NEVER });
      return [provider.id, { context, source, lists, cache, byDomain, readsDownloads, readsLists }] as const;
    }),
  );
  if (faults.length > 0) throw new StartupError(faults.sort());
  const sources = prepared.flatMap(([id, { source }]) => (source === undefined ? [] : [[id, source]]));
  return {
    byId: new Map(prepared),
    sources: Object.freeze(Object.fromEntries(sources)),
    lists: inputs.lists,
  };
}

/** The preparations that a change of the downloaded lists leaves as they are. */
export function untouchedByDownloads(
  providers: readonly SignalProvider[],
  { byId }: PreparedProviders,
): ReadonlyMap<string, PreparedProvider> {
  return untouched(providers, byId, (_, { readsDownloads }) => readsDownloads);
}

/** The preparations that other thresholds, or other lists of the operator's, leave as they are. */
export function untouchedByRules(
  providers: readonly SignalProvider[],
  { byId, lists }: PreparedProviders,
  inputs: PreparationInputs,
): ReadonlyMap<string, PreparedProvider> {
  const areListsNew = !isDeepStrictEqual(lists, inputs.lists);
  return untouched(providers, byId, (id, { context, readsLists }) => {
    const thresholds = inputs.thresholds[id] ?? {};
    return (areListsNew && readsLists) || !isDeepStrictEqual(context.thresholds, thresholds);
  });
}

/** All but those that are `touched`, and those that need a fact of one of these: their kept answers were found with it. */
function untouched(
  providers: readonly SignalProvider[],
  byId: PreparedProviders['byId'],
  isTouched: (id: string, prepared: PreparedProvider) => boolean,
): ReadonlyMap<string, PreparedProvider> {
  const touched = new Set([...byId].filter(([id, prepared]) => isTouched(id, prepared)).map(([id]) => id));
  for (let before = -1; touched.size > before; ) {
    before = touched.size;
    const facts = new Set(
      providers.filter(({ id }) => touched.has(id)).flatMap((provider) => provider.facts.map(({ id }) => id)),
    );
    for (const { id, needs = [] } of providers) if (needs.some((need) => facts.has(need))) touched.add(id);
  }
  return new Map([...byId].filter(([id]) => !touched.has(id)));
}

/** Every list that the providers answer from, each with its provider. */
export function listsOf({
  byId,
}: PreparedProviders): readonly (readonly [provider: string, list: DataList])[] {
  return [...byId].flatMap(([provider, { lists }]) => lists.map((list) => [provider, list] as const));
}
