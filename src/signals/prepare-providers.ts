import { isDeepStrictEqual } from 'node:util';
import { StartupError } from '../errors.ts';
import { once } from '../lib/concurrency.ts';
import { messageOf } from '../lib/thrown.ts';
import type { Context, DataList, ListEntry, Ports, Setup, SignalProvider } from '../provider-kit/index.ts';
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
export type PreparedProvider = Awaited<ReturnType<typeof prepareOne>>;

export type PreparedProviders = Awaited<ReturnType<typeof prepareProviders>>;

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
) {
  const faults: string[] = [];
  const downloads = once(async () => (await inputs.downloads?.()) ?? []);
  const prepared = await Promise.all(
    providers.map(async (provider) => {
      const { id } = provider;
      try {
        const ports = portsOf(provider);
        return [[id, kept.get(id) ?? (await prepareOne(provider, { ...inputs, downloads }, ports))] as const];
      } catch (error) {
        faults.push(`provider "${id}": cannot prepare: ${messageOf(error)}`);
        return [];
      }
    }),
  );
  if (faults.length > 0) throw new StartupError(faults.sort());
  const byId: ReadonlyMap<string, PreparedProvider> = new Map(prepared.flat());
  const sources = [...byId].flatMap(([id, { source }]) => (source === undefined ? [] : [[id, source]]));
  // The versions of the data go into every record.
  const versions: Readonly<Record<string, string>> = Object.freeze(Object.fromEntries(sources));
  return { byId, sources: versions, lists: inputs.lists };
}

async function prepareOne(
  provider: SignalProvider,
  inputs: Required<PreparationInputs>,
  ports: Partial<Ports>,
) {
  const options = inputs.options[provider.id] ?? {};
  const thresholds = inputs.thresholds[provider.id] ?? {};
  let readsDownloads = false;
  let readsLists = false;
  const setup: Setup = {
    options,
    thresholds,
    get lists() {
      readsLists = true;
      return inputs.lists;
    },
    downloads() {
      readsDownloads = true;
      return inputs.downloads();
    },
  };
  const { state, source, lists = [] } = (await inTime(provider.prepare?.(setup))) ?? { state: undefined };
  if (source !== undefined && typeof source !== 'string') throw new Error('its source is no text');
  if (!Array.isArray(lists)) throw new Error('its lists are no list');
  // Lives and dies with the thresholds that its answers were found under.
  const cache = provider.stage === 'network' && provider.cache ? new AnswerCache(provider.cache) : undefined;
  // All that `check` is given but the needs and the signal of one question. Made once, not once for each check.
  const context: Context<unknown> = Object.freeze({
    ...ports,
    needs: NO_NEEDS,
    options,
    thresholds,
    state,
    signal: NEVER,
  });
  return { context, source, lists, cache, readsDownloads, readsLists };
}

/**
 * The preparations that a change leaves as they are: not those that were made of what has changed, and not those that need a
 * fact of one of these, as their kept answers were found with it. `downloads`: the downloaded lists are others.
 */
export function untouched(
  providers: readonly SignalProvider[],
  { byId, lists }: PreparedProviders,
  { inputs, downloads }: { readonly inputs: PreparationInputs; readonly downloads: boolean },
): PreparedProviders['byId'] {
  const areListsNew = !isDeepStrictEqual(lists, inputs.lists);
  const isTouched = (id: string, { context, readsLists, readsDownloads }: PreparedProvider) =>
    (downloads && readsDownloads) ||
    (areListsNew && readsLists) ||
    !isDeepStrictEqual(context.thresholds, inputs.thresholds[id] ?? {});
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

export function listsOf({
  byId,
}: PreparedProviders): readonly (readonly [provider: string, list: DataList])[] {
  return [...byId].flatMap(([provider, { lists }]) => lists.map((list) => [provider, list] as const));
}
