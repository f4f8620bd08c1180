import { afterPendingIo } from '../lib/timers.ts';
import {
  type Answer,
  type Count,
  type SignalProvider,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';
import type { Collection } from './collection.ts';
import { readAnswer } from './read-answer.ts';

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
  const started = performance.now();
  let answer: Answer;
  try {
    const context = { ...collection.context(provider), ...(counted && { counted }) };
    answer = readAnswer(provider.check(collection.address, context), collection.reporter(provider));
  } catch (error) {
    answer = failed(provider, error, collection);
  }
  const tookMs = performance.now() - started;
  collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  collection.accept(provider, answer, tookMs);
}

/** What a provider counts this check under; why not, where it failed. */
export function countsOf(provider: AnyLocalProvider, collection: Collection): readonly Count[] | Unknown {
  try {
    const counts = provider.counts?.(collection.address, collection.context(provider)) ?? [];
    if (counts.length <= MOST_COUNTS && counts.every((count) => isCount(count, provider))) return counts;
    collection.reporter(provider)(`counts what is no count of its facts, or more than ${MOST_COUNTS}`);
    return unknown('error');
  } catch (error) {
    return failed(provider, error, collection);
  }
}

/** When a network provider's answer is no longer awaited. */
export interface Deadline {
  /** Of the whole check: resolves when it has passed. */
  readonly passed: Promise<void>;
  /** For providers that set no time of their own. */
  readonly timeoutMs: number;
}

/** Takes the answer that was kept, else asks, unless another check is asking the same. A failure makes its facts unknown. */
export async function askNetwork(
  provider: AnyNetworkProvider,
  collection: Collection,
  { passed, timeoutMs }: Deadline,
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
  const started = performance.now();
  const question = () => ask(provider, collection, provider.timeoutMs ?? timeoutMs);
  const answer = await Promise.race([
    cache ? cache.ask(address, question) : question(),
    passed.then(() => unknown('timeout', 'check.deadline_ms passed')),
  ]);
  collection.accept(provider, answer, performance.now() - started);
}

/** Under the provider's own time, which may end after the check's deadline: the answer still fills the cache. */
async function ask(provider: AnyNetworkProvider, collection: Collection, timeoutMs: number): Promise<Answer> {
  const started = performance.now();
  const abort = new AbortController();
  const late = Promise.withResolvers<Unknown>();
  const giveUp = () => {
    abort.abort();
    late.resolve(unknown('timeout'));
  };
  const timer = setTimeout(afterPendingIo(giveUp), timeoutMs);
  try {
    const context = { ...collection.context(provider), signal: abort.signal };
    const answer: unknown = await Promise.race([provider.check(collection.address, context), late.promise]);
    return readAnswer(answer, collection.reporter(provider));
  } catch (error) {
    return failed(provider, error, collection);
  } finally {
    clearTimeout(timer);
    const tookMs = performance.now() - started;
    collection.observers.metrics.took('postern_provider_duration_seconds', { provider: provider.id }, tookMs);
  }
}

function failed({ id }: SignalProvider, error: unknown, { observers }: Collection): Unknown {
  observers.logFor(id).warn({ err: error }, 'provider failed');
  return unknown('error', error instanceof Error ? error.name : 'threw');
}

function isCount(count: Partial<Count> | null, { facts }: SignalProvider): boolean {
  const { fact, text, window } = count ?? {};
  const isWindow = window === '1h' || window === '24h';
  return isWindow && typeof text === 'string' && facts.some(({ id }) => id === fact);
}
