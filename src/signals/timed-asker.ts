import { afterPendingIo } from '../lib/timers.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Address, Answer } from '../provider-kit/index.ts';
import { unknown } from '../provider-kit/index.ts';
import type { AnyLocalProvider, AnyNetworkProvider, Asked, AskedProvider } from './asked-provider.ts';
import type { Collection } from './collection.ts';
import type { Later } from './plan.ts';
import type { PreparedProviders } from './prepare-providers.ts';
import type { ProviderAsker } from './provider-asker.ts';
import type { Signals } from './signals.ts';

/** Asks many providers about one address, each as soon as it can be: what they say is collected, timed and counted. */
export class TimedAsker {
  readonly #asker: ProviderAsker;
  readonly #metrics: Metrics;
  readonly #deadlineMs: number;

  constructor(asker: ProviderAsker, metrics: Metrics, deadlineMs: number) {
    this.#asker = asker;
    this.#metrics = metrics;
    this.#deadlineMs = deadlineMs;
  }

  /** One after the other, each at once. */
  askInTurn(
    providers: readonly Asked<AnyLocalProvider>[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): void {
    // One reading of the clock between two providers ends the one and starts the other.
    let before = performance.now();
    for (const provider of providers) before = this.#askOne(provider, before, address, prepared, collection);
  }

  /** False where it must be waited for. */
  askAtOnce(
    next: Later,
    open: readonly Later[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): boolean {
    return next.stage === 'network'
      ? this.#acceptKept(next.provider, address, prepared, collection)
      : this.#askUnlessOpen(next, open, address, prepared, collection);
  }

  /** Side by side under one deadline, each once those have answered whose facts it needs. */
  async askLater(
    open: readonly Later[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Signals> {
    const deadline = Promise.withResolvers<void>();
    // One timer for all: whoever has not answered when it fires is unknown.
    const timer = setTimeout(afterPendingIo(deadline.resolve), this.#deadlineMs);
    const done = new Map<string, Promise<void>>();
    for (const next of open) {
      const awaited = next.after.flatMap((id) => done.get(id) ?? []);
      const ask = async () => {
        if (awaited.length > 0) await Promise.all(awaited);
        const started = performance.now();
        if (next.stage === 'local') {
          this.#askOne(next.provider, started, address, prepared, collection);
          return;
        }
        const answer = await Promise.race([
          this.#asker.askNetwork(next.provider, address, prepared, collection),
          deadline.promise.then(() => unknown('timeout', 'check.deadline_ms passed')),
        ]);
        this.#accept(collection, next.provider, answer, performance.now() - started);
      };
      done.set(next.provider.id, ask());
    }
    try {
      await Promise.all(done.values());
    } finally {
      clearTimeout(timer);
    }
    return collection.finish(prepared.sources);
  }

  /** Returns when it was done. */
  #askOne(
    provider: Asked<AnyLocalProvider>,
    before: number,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): number {
    const answer = this.#asker.askLocal(provider, address, prepared, collection);
    const after = performance.now();
    this.#metrics.providerTook(provider.id, after - before);
    this.#accept(collection, provider, answer, after - before);
    return after;
  }

  /** False, and not asked, where a provider whose facts it needs has yet to be waited for. */
  #askUnlessOpen(
    { provider, after }: Later & { readonly stage: 'local' },
    open: readonly Later[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): boolean {
    if (open.some((other) => after.includes(other.provider.id))) return false;
    this.#askOne(provider, performance.now(), address, prepared, collection);
    return true;
  }

  /** Most domains were asked about a moment ago: then there is nothing to wait for, and no timer to set. */
  #acceptKept(
    provider: Asked<AnyNetworkProvider>,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): boolean {
    const kept = prepared.byId.get(provider.id)?.cache?.get(address);
    if (!kept) return false;
    this.#metrics.answerCacheRead(provider.id, 'hit');
    this.#accept(collection, provider, kept, 0);
    return true;
  }

  #accept(collection: Collection, provider: AskedProvider, answer: Answer, tookMs: number): void {
    const outcome = collection.accept(provider, answer, Math.round(tookMs * 1000));
    this.#metrics.providerAnswered(provider.id, outcome);
  }
}
