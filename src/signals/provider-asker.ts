import { afterPendingIo } from '../lib/timers.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Address, Answer, Context, ProviderLog } from '../provider-kit/index.ts';
import { unknown } from '../provider-kit/index.ts';
import type { AnyLocalProvider, AnyNetworkProvider, Asked, AskedProvider } from './asked-provider.ts';
import type { Collection } from './collection.ts';
import type { PreparedProvider, PreparedProviders } from './prepare-providers.ts';
import { readAnswer } from './read-answer.ts';

export interface AskerOptions {
  readonly logFor: (provider: string) => ProviderLog;
  /** For providers that set no time of their own. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** Asks one provider about one address. Whatever the provider does, what comes back is an answer. */
export class ProviderAsker {
  readonly #options: AskerOptions;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  askLocal(
    provider: Asked<AnyLocalProvider>,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Answer {
    const context = contextOf(provider, prepared, collection);
    try {
      return readAnswer(provider.check(address, context), provider.id, collection);
    } catch (error) {
      this.#options.logFor(provider.id).warn({ err: error }, 'provider failed');
      return unknown('error', error instanceof Error ? error.name : 'threw');
    }
  }

  askNetwork(
    provider: Asked<AnyNetworkProvider>,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Answer> {
    const cache = prepared.byId.get(provider.id)?.cache;
    const question = () => this.#run(provider, address, prepared, collection);
    if (!cache) return question();
    this.#options.metrics.answerCacheRead(provider.id, cache.isAsking(address) ? 'joined' : 'miss');
    return cache.ask(address, question);
  }

  /** The provider's own time, which a joined question outlives: the answer still fills the cache. */
  async #run(
    provider: Asked<AnyNetworkProvider>,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Answer> {
    const { logFor, timeoutMs, metrics } = this.#options;
    const started = performance.now();
    const abort = new AbortController();
    const late = Promise.withResolvers<void>();
    const giveUp = () => {
      abort.abort();
      late.resolve();
    };
    const timer = setTimeout(afterPendingIo(giveUp), provider.timeoutMs ?? timeoutMs);
    try {
      const answer: unknown = await Promise.race([
        provider.check(address, { ...contextOf(provider, prepared, collection), signal: abort.signal }),
        late.promise.then(() => unknown('timeout')),
      ]);
      return readAnswer(answer, provider.id, collection);
    } catch (error) {
      logFor(provider.id).warn({ err: error }, 'provider failed');
      return unknown('error');
    } finally {
      clearTimeout(timer);
      metrics.providerTook(provider.id, performance.now() - started);
    }
  }
}

function contextOf(
  provider: AskedProvider,
  prepared: PreparedProviders,
  collection: Collection,
): Context<unknown> {
  const { context } = preparedOf(provider, prepared);
  const { counters } = collection;
  if (provider.isCounting && counters)
    return { ...context, counters, needs: collection.needs(provider.needs) };
  return provider.needs.length > 0 ? { ...context, needs: collection.needs(provider.needs) } : context;
}

function preparedOf(provider: AskedProvider, prepared: PreparedProviders): PreparedProvider {
  const found = prepared.byId.get(provider.id);
  if (!found) throw new Error(`provider "${provider.id}" was not prepared`);
  return found;
}
