import { unlessAborted, withDeadline } from '../lib/time.ts';
import {
  type Answer,
  type Count,
  type SignalProvider,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';
import type { Collection } from './collection.ts';
import { NO_COUNTS, readAnswer, readCounts } from './read-answer.ts';

export type AnyLocalProvider = Extract<SignalProvider, { readonly stage: 'local' }>;
export type AnyNetworkProvider = Extract<SignalProvider, { readonly stage: 'network' }>;

/** Asks a local provider; a failure makes its facts unknown. `counted`: the numbers of what it counts, by fact. */
export function askLocal(
  provider: AnyLocalProvider,
  collection: Collection,
  counted?: Readonly<Record<string, number>>,
): void {
  const { faults } = collection.observers;
  const span = collection.observers.span?.child(`provider ${provider.id}`);
  const started = performance.now();
  let answer: Answer;
  try {
    const context = { ...collection.context(provider), ...(counted && { counted }) };
    answer = readAnswer(provider, provider.check(collection.address, context), faults.reporter(provider.id));
  } catch (error) {
    answer = faults.failed(provider.id, error);
  }
  const tookMs = performance.now() - started;
  faults.took(provider.id, 'check', tookMs);
  collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  collection.accept(provider, answer, tookMs, span);
}

/** What a provider counts this check under; unknown where its `counts` failed. */
export function countsOf(provider: AnyLocalProvider, collection: Collection): readonly Count[] | Unknown {
  const { faults } = collection.observers;
  try {
    const context = collection.context(provider);
    const count = () => provider.counts?.(collection.address, context) ?? [];
    const read = readCounts(provider, faults.watched(provider.id, 'counts', count));
    if (read) return read;
    faults.reporter(provider.id)(NO_COUNTS);
    return unknown('error');
  } catch (error) {
    return faults.failed(provider.id, error);
  }
}

/**
 * Takes the cached answer; else waits for another check that is asking the same; else asks. A failure makes the provider's facts unknown.
 * `passed` fires with the deadline of the whole check: the answer is not awaited any more.
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
  // `not_run` where the deadline passed while the provider still waited for what it needs: it tried nothing.
  const late = unknown(passed.aborted ? 'not_run' : 'timeout', 'check.deadline_ms passed');
  const answer = await unlessAborted(passed, asked, late);
  collection.accept(provider, answer, performance.now() - started, span);
}

/** Asks under the provider's own `timeoutMs`, which may end after the check's deadline: a late answer still fills the cache. */
async function ask(provider: AnyNetworkProvider, collection: Collection, timeoutMs: number): Promise<Answer> {
  const { faults } = collection.observers;
  const started = performance.now();
  try {
    const answer = await withDeadline(timeoutMs, (signal) => {
      const context = { ...collection.context(provider), signal };
      const begin = () => provider.check(collection.address, context);
      const asked: Promise<unknown> = Promise.resolve(faults.watched(provider.id, 'check', begin));
      return unlessAborted(signal, asked, unknown('timeout'));
    });
    return readAnswer(provider, answer, faults.reporter(provider.id));
  } catch (error) {
    return faults.failed(provider.id, error);
  } finally {
    const tookMs = performance.now() - started;
    collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  }
}
