import { afterArrivals } from '../after-arrivals.ts';
import { inject, injectAll, injectable } from '../di.ts';
import { type Metrics, noMetrics } from '../observability/metrics.ts';
import type { Address, Answer, Counters, Findings, SignalProvider } from '../provider-kit/index.ts';
import { unknown } from '../provider-kit/index.ts';
import { CHECK_DEADLINE_MS, DISABLED_PROVIDER, METRICS, PORTS, SIGNAL_PROVIDER } from '../tokens.ts';
import type { AnyLocalProvider, AnyNetworkProvider, Asked, AskedProvider } from './asked-provider.ts';
import { type Beginning, Collection, type ReportBreach } from './collection.ts';
import { DomainKeeper, stillSettled } from './domain-keeper.ts';
import type { FactCatalogue } from './fact-catalogue.ts';
import { grantPorts, type HostPorts } from './host-ports.ts';
import { type CollectionPlan, type Later, planCollection } from './plan.ts';
import {
  type PreparationInputs,
  type PreparedProviders,
  prepareProviders,
  untouchedByDownloads,
  untouchedByRules,
} from './prepare-providers.ts';
import { ProviderAsker } from './provider-asker.ts';
import type { Signals } from './signals.ts';
import { type OnAnswer, WatchedCollection } from './watched-collection.ts';

const NOTHING_GIVEN: Findings['facts'] = Object.freeze({});

/**
 * Asks every enabled provider about an address: local ones at once, network ones side by side under one deadline, and
 * local ones that need what a look-up tells as soon as it is there, or known to be unknown.
 */
@injectable()
export class SignalCollector {
  readonly #providers: readonly SignalProvider[];
  readonly #disabled: readonly SignalProvider[];
  readonly #plan: CollectionPlan;
  readonly #ports: HostPorts;
  readonly #deadlineMs: number;
  readonly #metrics: Metrics;
  readonly #asker: ProviderAsker;
  readonly #domains: DomainKeeper;

  constructor(
    @injectAll(SIGNAL_PROVIDER, { isOptional: true }) providers: readonly SignalProvider[],
    @injectAll(DISABLED_PROVIDER, { isOptional: true }) disabled: readonly SignalProvider[],
    @inject(PORTS) ports: HostPorts,
    @inject(CHECK_DEADLINE_MS) deadlineMs: number,
    @inject(METRICS) metrics: Metrics,
  ) {
    this.#providers = providers;
    this.#disabled = disabled;
    this.#plan = planCollection(providers, disabled);
    this.#ports = ports;
    this.#deadlineMs = deadlineMs;
    this.#metrics = metrics;
    this.#domains = new DomainKeeper(this.#plan, metrics);
    this.#asker = new ProviderAsker({ logFor: (id) => ports.logFor(id), timeoutMs: deadlineMs, metrics });
  }

  get catalogue(): FactCatalogue {
    return this.#plan.catalogue;
  }

  get providers(): readonly SignalProvider[] {
    return this.#providers;
  }

  /** Those that are switched off. */
  get disabled(): readonly SignalProvider[] {
    return this.#disabled;
  }

  /** The same, and nothing that it does is counted. */
  uncounted(): SignalCollector {
    return new SignalCollector(this.#providers, this.#disabled, this.#ports, this.#deadlineMs, noMetrics);
  }

  /** Loads the providers' data; at start and again at each reload. */
  prepare(inputs: PreparationInputs): Promise<PreparedProviders> {
    return prepareProviders(this.#providers, inputs, (provider) => grantPorts(provider, this.#ports));
  }

  /** Loads anew what hangs on the downloaded lists; all else is taken over from `before`, kept answers included. */
  prepareDownloads(inputs: PreparationInputs, before: PreparedProviders): Promise<PreparedProviders> {
    const kept = untouchedByDownloads(this.#providers, before);
    return prepareProviders(this.#providers, inputs, (provider) => grantPorts(provider, this.#ports), kept);
  }

  /** Prepares anew what hangs on what has changed in the rules; all else is taken over from `before`, kept answers included. */
  prepareChanged(inputs: PreparationInputs, before: PreparedProviders): Promise<PreparedProviders> {
    const kept = untouchedByRules(this.#providers, before, inputs);
    return prepareProviders(this.#providers, inputs, (provider) => grantPorts(provider, this.#ports), kept);
  }

  /**
   * At once where nobody has to be waited for. A provider's failure is a fact that is unknown, and no error. `counters`
   * are this one check's.
   */
  collect(address: Address, prepared: PreparedProviders, counters?: Counters): Signals | Promise<Signals> {
    const { byDomain, local, later } = this.#plan;
    const kept = prepared.domains.get(address.domain);
    const settled = stillSettled(kept);
    const collection = this.#begin(settled ?? kept, counters);
    if (kept) this.#domains.count(kept);
    else {
      this.#askInTurn(byDomain, address, prepared, collection);
      this.#domains.keep(address, prepared, collection);
    }
    this.#askInTurn(local, address, prepared, collection);
    const open: Later[] = [];
    for (const next of later) {
      if (settled && next.isByDomain) continue;
      if (!this.#acceptAtOnce(next, open, address, prepared, collection)) open.push(next);
    }
    if (open.length > 0) return this.#askLater(open, address, prepared, collection);
    if (settled) this.#domains.countSettled(settled);
    else this.#domains.settle(address, prepared, collection);
    return collection.finish(prepared.sources);
  }

  /**
   * As `collect`, for somebody who looks on: tells of each provider's answer as soon as it is there. All are asked, even where the
   * domain was asked about a moment ago; what providers themselves keep they say at once.
   */
  async watch(address: Address, prepared: PreparedProviders, onAnswer: OnAnswer): Promise<Signals> {
    const { blank, byDomain, local, later } = this.#plan;
    const collection = new WatchedCollection(blank, this.#report, onAnswer);
    this.#askInTurn([...byDomain, ...local], address, prepared, collection);
    const open: Later[] = [];
    for (const next of later) {
      if (!this.#acceptAtOnce(next, open, address, prepared, collection)) open.push(next);
    }
    if (open.length > 0) return this.#askLater(open, address, prepared, collection);
    return collection.finish(prepared.sources);
  }

  /**
   * What the local providers alone can tell; what look-ups would tell is unknown, not run. `given` are facts that hold
   * whoever would have found them out, such as those of the test world. Neither timed nor counted.
   */
  collectLocal(
    address: Address,
    prepared: PreparedProviders,
    given = NOTHING_GIVEN,
    counters?: Counters,
  ): Signals {
    const kept = prepared.domains.get(address.domain);
    const collection = this.#begin(kept, counters);
    const ask = (provider: Asked<AnyLocalProvider>) =>
      collection.accept(provider, this.#asker.askLocal(provider, address, prepared, collection), 0);
    if (!kept) {
      this.#plan.byDomain.forEach(ask);
      this.#domains.keep(address, prepared, collection);
    }
    this.#plan.local.forEach(ask);
    const { later } = this.#plan;
    for (const next of later) {
      if (next.stage === 'network') collection.accept(next.provider, unknown('not_run'), 0);
    }
    collection.assume(given);
    for (const next of later) if (next.stage === 'local') ask(next.provider);
    // Also over what those found out in the end.
    collection.assume(given);
    return collection.finish(prepared.sources);
  }

  #begin(kept: Beginning | undefined, counters: Counters | undefined): Collection {
    return new Collection(kept ?? this.#plan.blank, this.#report, counters);
  }

  readonly #report: ReportBreach = (provider, breach) =>
    this.#ports.logFor(provider).warn({}, `provider breaks its declaration: ${breach}`);

  #askInTurn(
    providers: readonly Asked<AnyLocalProvider>[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): void {
    // One reading of the clock between two providers ends the one and starts the other.
    let before = performance.now();
    for (const provider of providers) before = this.#askOne(provider, before, address, prepared, collection);
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

  /** False where it must be waited for. */
  #acceptAtOnce(
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

  async #askLater(
    open: readonly Later[],
    address: Address,
    prepared: PreparedProviders,
    collection: Collection,
  ): Promise<Signals> {
    const deadline = Promise.withResolvers<void>();
    // One timer for all: whoever has not answered when it fires is unknown.
    const timer = setTimeout(afterArrivals(deadline.resolve), this.#deadlineMs);
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

  #accept(collection: Collection, provider: AskedProvider, answer: Answer, tookMs: number): void {
    const outcome = collection.accept(provider, answer, Math.round(tookMs * 1000));
    this.#metrics.providerAnswered(provider.id, outcome);
  }
}
