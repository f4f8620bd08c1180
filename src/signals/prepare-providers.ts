import { isDeepStrictEqual } from 'node:util';
import { StartupError } from '../errors.ts';
import { frozen, once } from '../lib/concurrency.ts';
import { kindOfThrown, messageOf } from '../lib/thrown.ts';
import { inTime } from '../lib/time.ts';
import type { Context, DataList, ListEntry, Setup, SignalProvider } from '../provider-kit/index.ts';
import { AnswerCache } from './answer-cache.ts';
import { isTracked } from './plugin-work.ts';
import type { ProviderFaults } from './provider-faults.ts';
import { grantPorts, type HostPorts } from './provider-ports.ts';
import { readPrepared } from './read-answer.ts';

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
  /** Where left out, there are none. */
  readonly downloads?: Setup['downloads'];
}

export interface PreparationTools {
  readonly ports: HostPorts;
  /** Earlier preparations by provider id, taken over as they are. */
  readonly kept: ReadonlyMap<string, PreparedProvider> | undefined;
  /** Tells of a `prepare` that holds up requests; null where nothing is served yet. */
  readonly faults: ProviderFaults | null;
  /** Whether providers were asked about addresses by now: what a plugin throws may then quote one, and is not told. */
  readonly hasAsked: () => boolean;
}

/**
 * Runs every provider's `prepare`, side by side, but for those whose preparation is `kept`; throws one StartupError that
 * names each that failed.
 */
export async function prepareProviders(
  providers: readonly SignalProvider[],
  inputs: PreparationInputs,
  tools: PreparationTools,
) {
  const faults: string[] = [];
  const downloads = once(async () => Object.freeze([...((await inputs.downloads?.()) ?? [])]));
  const prepared = await Promise.all(
    providers.map(async (provider) => {
      const { id } = provider;
      try {
        const kept = tools.kept?.get(id);
        return [[id, kept ?? (await prepareOne(provider, { ...inputs, downloads }, tools))] as const];
      } catch (error) {
        const why = tools.hasAsked() && isTracked(provider) ? withoutWords(error) : messageOf(error);
        faults.push(`provider "${id}": cannot prepare: ${why}`);
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
  { ports, faults }: PreparationTools,
) {
  const { id } = provider;
  const options = frozen(inputs.options[id] ?? {});
  const thresholds = frozen(inputs.thresholds[id] ?? {});
  let readsDownloads = false;
  let readsLists = false;
  const setup: Setup = {
    options,
    thresholds,
    get lists() {
      readsLists = true;
      // All providers share the lists: one that sorts or shortens them would do so for the others.
      return frozen(inputs.lists);
    },
    downloads() {
      readsDownloads = true;
      return inputs.downloads();
    },
  };
  const begin = () => provider.prepare?.(setup);
  const preparing = faults ? faults.watched(id, 'prepare', begin) : begin();
  const tellWait = (what: string) => ports.logFor(id).warn({}, what);
  const { state, source, lists } = readPrepared(
    await inTime(preparing, `provider ${id}: its prepare has not finished`, tellWait),
  );
  // A new cache with each preparation: its answers hold for these thresholds alone.
  const cache = provider.stage === 'network' && provider.cache ? new AnswerCache(provider.cache) : undefined;
  // All that `check` is given but the needs and the signal of one question. Made once, not once for each check.
  const context: Context<unknown> = Object.freeze({
    ...(await grantPorts(provider, options, ports)),
    needs: NO_NEEDS,
    options,
    thresholds,
    state,
    signal: NEVER,
  });
  return { context, source, lists, cache, readsDownloads, readsLists };
}

/** The kind of an error and where it was thrown, without its message. */
function withoutWords(error: unknown): string {
  const { type, code, at } = kindOfThrown(error);
  return [type, code, at[0] && `at ${at[0]}`].filter(Boolean).join(' ');
}

/**
 * The preparations that a reload can keep: of providers that read nothing that has changed, and that need no fact of a provider which did,
 * as their cached answers were found with that fact. `downloads`: whether the downloaded lists have changed.
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
