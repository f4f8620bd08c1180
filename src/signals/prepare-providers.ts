import { isDeepStrictEqual } from 'node:util';
import { StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import type {
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
  kept: PreparedProviders['byId'] = new Map(),
): Promise<PreparedProviders> {
  const faults: string[] = [];
  let loading: Promise<readonly DownloadedList[]> | undefined;
  const load = () => {
    loading ??= inputs.downloads?.() ?? Promise.resolve([]);
    return loading;
  };
  const prepared = await Promise.all(
    providers.map(async (provider) => {
      const { id } = provider;
      try {
        const ports = portsOf(provider);
        return [
          [id, kept.get(id) ?? (await prepareOne(provider, { ...inputs, downloads: load }, ports))] as const,
        ];
      } catch (error) {
        faults.push(`provider "${id}": cannot prepare: ${messageOf(error)}`);
        return [];
      }
    }),
  );
  if (faults.length > 0) throw new StartupError(faults.sort());
  const byId = new Map(prepared.flat());
  const sources = [...byId].flatMap(([id, { source }]) => (source === undefined ? [] : [[id, source]]));
  return { byId, sources: Object.freeze(Object.fromEntries(sources)), lists: inputs.lists };
}

async function prepareOne(
  provider: SignalProvider,
  inputs: Required<PreparationInputs>,
  ports: Partial<Ports>,
): Promise<PreparedProvider> {
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
  const cache = provider.stage === 'network' && provider.cache ? new AnswerCache(provider.cache) : undefined;
  const context = Object.freeze({ ...ports, needs: NO_NEEDS, options, thresholds, state, signal: NEVER });
  return { context, source, lists, cache, readsDownloads, readsLists };
}

/** What may have changed since providers were prepared. */
interface Changes {
  readonly inputs: PreparationInputs;
  /** The downloaded lists are others. */
  readonly downloads: boolean;
}

/**
 * The preparations that a change leaves as they are: not those that were made of what has changed, and not those that need a
 * fact of one of these, as their kept answers were found with it.
 */
export function untouched(
  providers: readonly SignalProvider[],
  { byId, lists }: PreparedProviders,
  { inputs, downloads }: Changes,
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

/** Every list that the providers answer from, each with its provider. */
export function listsOf({
  byId,
}: PreparedProviders): readonly (readonly [provider: string, list: DataList])[] {
  return [...byId].flatMap(([provider, { lists }]) => lists.map((list) => [provider, list] as const));
}
