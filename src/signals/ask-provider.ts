import { kindOfThrown } from '../lib/thrown.ts';
import { unlessAborted, withDeadline } from '../lib/timers.ts';
import {
  type Answer,
  COUNT_WINDOWS,
  type Count,
  type SignalProvider,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';
import type { Collection } from './collection.ts';
import { ignoreRejection, readAnswer } from './read-answer.ts';

export type AnyLocalProvider = Extract<SignalProvider, { readonly stage: 'local' }>;
export type AnyNetworkProvider = Extract<SignalProvider, { readonly stage: 'network' }>;

/** More counts than these a provider cannot have. */
const MOST_COUNTS = 16;

/** Asks a local provider; a failure makes its facts unknown. `counted`: the numbers of what it counts, by fact. */
export function askLocal(
  provider: AnyLocalProvider,
  collection: Collection,
  counted?: Readonly<Record<string, number>>,
): void {
  const span = collection.observers.span?.child(`provider ${provider.id}`);
  const started = performance.now();
  let answer: Answer;
  try {
    const context = { ...collection.context(provider), ...(counted && { counted }) };
    answer = readAnswer(provider, provider.check(collection.address, context), collection.reporter(provider));
  } catch (error) {
    answer = failed(provider, error, collection);
  }
  const tookMs = performance.now() - started;
  collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  collection.accept(provider, answer, tookMs, span);
}

/** What a provider counts this check under; why not, where it failed. */
export function countsOf(provider: AnyLocalProvider, collection: Collection): readonly Count[] | Unknown {
  try {
    const counts: unknown = provider.counts?.(collection.address, collection.context(provider)) ?? [];
    ignoreRejection(counts);
    if (Array.isArray(counts) && counts.length <= MOST_COUNTS) {
      const read = counts.map((count: Partial<Count> | null) => ({ ...count }));
      if (read.every((count) => isCount(count, provider))) return read;
    }
    collection.reporter(provider)(`counts what is no count of its facts, or more than ${MOST_COUNTS}`);
    return unknown('error');
  } catch (error) {
    return failed(provider, error, collection);
  }
}

/**
 * Takes the answer that was kept, else asks, unless another check is asking the same. A failure makes its facts unknown. `passed`
 * fires with the deadline of the whole check: the answer is not awaited any more.
 */
export async function askNetwork(
  provider: AnyNetworkProvider,
  collection: Collection,
  passed: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  const { address, observers } = collection;
  const { cache } = collection.prepared(provider);
  const kept = cache?.get(address);
  if (cache) {
    const result = kept ? 'hit' : cache.isAsking(address) ? 'joined' : 'miss';
    observers.metrics.count('postern_answer_cache_reads_total', { provider: provider.id, result });
  }
  if (kept) {
    collection.accept(provider, kept, 0);
    return;
  }
  const span = observers.span?.child(`provider ${provider.id}`);
  const started = performance.now();
  const question = span
    ? () => span.run(() => ask(provider, collection, timeoutMs))
    : () => ask(provider, collection, timeoutMs);
  const asked = cache ? cache.ask(address, question) : question();
  const late = unknown('timeout', 'check.deadline_ms passed');
  const answer = await unlessAborted(passed, asked, late);
  collection.accept(provider, answer, performance.now() - started, span);
}

/** Under the provider's own time, which may end after the check's deadline: the answer still fills the cache. */
async function ask(provider: AnyNetworkProvider, collection: Collection, timeoutMs: number): Promise<Answer> {
  const started = performance.now();
  try {
    const answer = await withDeadline(timeoutMs, (signal) => {
      const asked: Promise<unknown> = Promise.resolve(
        provider.check(collection.address, { ...collection.context(provider), signal }),
      );
      return unlessAborted(signal, asked, unknown('timeout'));
    });
    return readAnswer(provider, answer, collection.reporter(provider));
  } catch (error) {
    return failed(provider, error, collection);
  } finally {
    const tookMs = performance.now() - started;
    collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  }
}

function failed({ id }: SignalProvider, error: unknown, { observers }: Collection): Unknown {
  observers.logFor(id).warn({ err: error }, 'provider failed');
  return unknown('error', kindOfThrown(error).type);
}

function isCount(count: Partial<Count>, provider: SignalProvider): count is Count {
  const { text, facts, distinct = '' } = count;
  const shown = Object.entries(facts ?? {});
  const isShown = ([fact, window]: (typeof shown)[number]) =>
    COUNT_WINDOWS.includes(window) && provider.facts.some(({ id }) => id === fact);
  return typeof text === 'string' && typeof distinct === 'string' && shown.length > 0 && shown.every(isShown);
}
