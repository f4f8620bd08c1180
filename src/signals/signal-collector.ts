import { inject, injectAll, injectable } from '../di.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Address, Answer, Context, Ports, ProviderLog, SignalProvider } from '../provider-kit/index.ts';
import { unknown } from '../provider-kit/index.ts';
import { CHECK_DEADLINE_MS, DISABLED_PROVIDER, METRICS, PORTS, SIGNAL_PROVIDER } from '../tokens.ts';
import { type BlankSignals, Collection, type ReportBreach } from './collection.ts';
import type { FactCatalogue } from './fact-catalogue.ts';
import {
  type AnyLocalProvider,
  type AnyNetworkProvider,
  type CollectionPlan,
  planCollection,
} from './plan.ts';
import {
  type PreparationInputs,
  type PreparedProvider,
  type PreparedProviders,
  prepareProviders,
} from './prepare-providers.ts';
import { readAnswer } from './read-answer.ts';
import type { Signals } from './signals.ts';

/** Ports as the process has them; each provider gets a log of its own. */
export interface HostPorts extends Omit<Ports, 'log'> {
  logFor(provider: string): ProviderLog;
}

/** Asks every enabled provider about an address: local ones at once, network ones side by side under one deadline. */
@injectable()
export class SignalCollector {
  readonly #providers: readonly SignalProvider[];
  readonly #plan: CollectionPlan;
  readonly #ports: HostPorts;
  readonly #deadlineMs: number;
  readonly #metrics: Metrics;
  readonly #blank: BlankSignals;

  constructor(
    @injectAll(SIGNAL_PROVIDER, { isOptional: true }) providers: readonly SignalProvider[],
    @injectAll(DISABLED_PROVIDER, { isOptional: true }) disabled: readonly SignalProvider[],
    @inject(PORTS) ports: HostPorts,
    @inject(CHECK_DEADLINE_MS) deadlineMs: number,
    @inject(METRICS) metrics: Metrics,
  ) {
    this.#providers = providers;
    this.#plan = planCollection(providers, disabled);
    this.#ports = ports;
    this.#deadlineMs = deadlineMs;
    this.#metrics = metrics;
    this.#blank = blankOf(this.#plan.catalogue);
  }

  get catalogue(): FactCatalogue {
    return this.#plan.catalogue;
  }

  get providers(): readonly SignalProvider[] {
    return this.#providers;
  }

  /** Loads the providers' data; at start and again at each reload. */
  prepare(inputs: PreparationInputs): Promise<PreparedProviders> {
    return prepareProviders(this.#providers, inputs, (provider) => this.#grant(provider));
  }

  /** Never rejects for a provider's failure: that is a fact that is unknown. */
  async collect(address: Address, prepared: PreparedProviders): Promise<Signals> {
    const collection = new Collection(this.#blank, this.#report);
    // One reading of the clock between two providers ends the one and starts the other.
    let before = performance.now();
    for (const provider of this.#plan.local) {
      const answer = this.#askLocal(provider, address, prepared, collection);
      const after = performance.now();
      this.#metrics.providerTook(provider.id, after - before);
      this.#accept(collection, provider, answer, after - before);
      before = after;
    }
    const open = this.#plan.network.filter(
      ({ provider }) => !this.#acceptKept(provider, address, prepared, collection),
    );
    if (open.length > 0) await this.#askNetwork(open, address, prepared, collection);
    return collection.finish(prepared.sources);
  }

  /** Most domains were asked about a moment ago: then there is nothing to wait for, and no timer to set. */
  #acceptKept(
    provider: AnyNetworkProvider,
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

  #accept(collection: Collection, provider: SignalProvider, answer: Answer, tookMs: number): void {
    const outcome = collection.accept(provider, answer, Math.round(tookMs * 1000));
    this.#metrics.providerAnswered(provider.id, outcome);
  }

  /** What the local providers alone can tell; every other fact is unknown, not run. For rule tests. */
  collectLocal(address: Address, prepared: PreparedProviders): Signals {
    const collection = new Collection(this.#blank, this.#report);
    for (const provider of this.#plan.local) {
      collection.accept(provider, this.#askLocal(provider, address, prepared, collection), 0);
    }
    for (const { provider } of this.#plan.network) collection.accept(provider, unknown('not_run'), 0);
    return collection.finish(prepared.sources);
  }

  readonly #report: ReportBreach = (provider, breach) =>
    this.#ports.logFor(provider).warn({}, `provider breaks its declaration: ${breach}`);

  #askLocal(
    provider: AnyLocalProvider,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Answer {
    const context = this.#context(provider, prepared, collection);
    try {
      return readAnswer(provider.check(address, context), (breach) => this.#report(provider.id, breach));
    } catch (error) {
      this.#ports.logFor(provider.id).warn({ err: error }, 'provider failed');
      return unknown('error', error instanceof Error ? error.name : 'threw');
    }
  }

  async #askNetwork(
    open: CollectionPlan['network'],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<void> {
    const deadline = deferred();
    // One timer for all: whoever has not answered when it fires is unknown.
    const timer = setTimeout(afterArrivals(deadline.resolve), this.#deadlineMs);
    const done = new Map<string, Promise<void>>();
    for (const { provider, after } of open) {
      const ready = Promise.all(after.map((id) => done.get(id)));
      const ask = async () => {
        if (after.length > 0) await ready;
        const started = performance.now();
        const answer = await Promise.race([
          this.#ask(provider, address, prepared, collection),
          deadline.promise.then(() => unknown('timeout', 'check.deadline_ms passed')),
        ]);
        this.#accept(collection, provider, answer, performance.now() - started);
      };
      done.set(provider.id, ask());
    }
    try {
      await Promise.all(done.values());
    } finally {
      clearTimeout(timer);
    }
  }

  #ask(
    provider: AnyNetworkProvider,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Answer> {
    const cache = prepared.byId.get(provider.id)?.cache;
    const question = () => this.#run(provider, address, prepared, collection);
    if (!cache) return question();
    this.#metrics.answerCacheRead(provider.id, cache.isAsking(address) ? 'joined' : 'miss');
    return cache.ask(address, question);
  }

  /** The provider's own time, which a joined question outlives: the answer still fills the cache. */
  async #run(
    provider: AnyNetworkProvider,
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Answer> {
    const started = performance.now();
    const abort = new AbortController();
    const late = deferred();
    const giveUp = () => {
      abort.abort();
      late.resolve();
    };
    const timer = setTimeout(afterArrivals(giveUp), provider.timeoutMs ?? this.#deadlineMs);
    try {
      const answer: unknown = await Promise.race([
        provider.check(address, { ...this.#context(provider, prepared, collection), signal: abort.signal }),
        late.promise.then(() => unknown('timeout')),
      ]);
      return readAnswer(answer, (breach) => this.#report(provider.id, breach));
    } catch (error) {
      this.#ports.logFor(provider.id).warn({ err: error }, 'provider failed');
      return unknown('error');
    } finally {
      clearTimeout(timer);
      this.#metrics.providerTook(provider.id, performance.now() - started);
    }
  }

  #context(provider: SignalProvider, prepared: PreparedProviders, collection: Collection): Context<unknown> {
    const { context } = preparedOf(provider, prepared);
    return provider.needs?.length ? { ...context, needs: collection.needs(provider.needs) } : context;
  }

  #grant(provider: SignalProvider): Partial<Ports> {
    const uses = new Set(provider.uses ?? []);
    return {
      ...(uses.has('dns') && { dns: this.#ports.dns }),
      ...(uses.has('clock') && { clock: this.#ports.clock }),
      ...(uses.has('log') && { log: this.#ports.logFor(provider.id) }),
    };
  }
}

/** What is known before anyone was asked: that what is switched off is not run. */
function blankOf({ facts }: FactCatalogue): BlankSignals {
  const disabled = [...facts.values()].filter((fact) => fact.disabled);
  return {
    facts: Object.fromEntries([...facts.keys()].map((id) => [id, null])),
    unknown: Object.fromEntries(disabled.map(({ id }) => [id, 'not_run'])),
  };
}

function preparedOf(provider: SignalProvider, prepared: PreparedProviders): PreparedProvider {
  const found = prepared.byId.get(provider.id);
  if (!found) throw new Error(`provider "${provider.id}" was not prepared`);
  return found;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

/**
 * For a timer's end: first lets what has already arrived be read. A busy event loop runs timers that are
 * overdue before it looks at its sockets, and would call answers late that lie there in time.
 */
function afterArrivals(then: () => void): () => void {
  return () => void setImmediate(then);
}
