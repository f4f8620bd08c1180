import { inject, injectAll, injectable } from '../di.ts';
import { METRICS, type Metrics, noMetrics } from '../observability/metrics.ts';
import type { Address, Counters, Findings, SignalProvider } from '../provider-kit/index.ts';
import { unknown } from '../provider-kit/index.ts';
import type { AnyLocalProvider, Asked } from './asked-provider.ts';
import { type Beginning, Collection, type ReportBreach } from './collection.ts';
import { DomainKeeper, stillSettled } from './domain-keeper.ts';
import type { FactCatalogue } from './fact-catalogue.ts';
import {
  CHECK_DEADLINE_MS,
  DISABLED_PROVIDER,
  grantPorts,
  type HostPorts,
  PORTS,
  SIGNAL_PROVIDER,
} from './host-ports.ts';
import { type CollectionPlan, type Later, planCollection } from './plan.ts';
import {
  type PreparationInputs,
  type PreparedProvider,
  type PreparedProviders,
  prepareProviders,
  untouchedByDownloads,
  untouchedByRules,
} from './prepare-providers.ts';
import { ProviderAsker } from './provider-asker.ts';
import type { Signals } from './signals.ts';
import { TimedAsker } from './timed-asker.ts';
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
  readonly #asker: ProviderAsker;
  readonly #timedAsker: TimedAsker;
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
    this.#domains = new DomainKeeper(this.#plan, metrics);
    this.#asker = new ProviderAsker({ logFor: (id) => ports.logFor(id), timeoutMs: deadlineMs, metrics });
    this.#timedAsker = new TimedAsker(this.#asker, metrics, deadlineMs);
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

  /** Without what only providers that are switched off would find out. */
  ofEnabled(given: Findings['facts']): Findings['facts'] {
    const { facts } = this.catalogue;
    return Object.fromEntries(Object.entries(given).filter(([id]) => facts.get(id)?.disabled !== true));
  }

  /** The same, and nothing that it does is counted. */
  uncounted(): SignalCollector {
    return new SignalCollector(this.#providers, this.#disabled, this.#ports, this.#deadlineMs, noMetrics);
  }

  /** Loads the providers' data; at start and again at each reload. */
  prepare(inputs: PreparationInputs): Promise<PreparedProviders> {
    return this.#prepare(inputs);
  }

  /** Loads anew what hangs on the downloaded lists; all else is taken over from `before`, kept answers included. */
  prepareDownloads(inputs: PreparationInputs, before: PreparedProviders): Promise<PreparedProviders> {
    return this.#prepare(inputs, untouchedByDownloads(this.#providers, before));
  }

  /** Prepares anew what hangs on what has changed in the rules; all else is taken over from `before`, kept answers included. */
  prepareChanged(inputs: PreparationInputs, before: PreparedProviders): Promise<PreparedProviders> {
    return this.#prepare(inputs, untouchedByRules(this.#providers, before, inputs));
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
      this.#timedAsker.askInTurn(byDomain, address, prepared, collection);
      this.#domains.keep(address, prepared, collection);
    }
    this.#timedAsker.askInTurn(local, address, prepared, collection);
    const open: Later[] = [];
    for (const next of later) {
      if (settled && next.isByDomain) continue;
      if (!this.#timedAsker.askAtOnce(next, open, address, prepared, collection)) open.push(next);
    }
    if (open.length > 0) return this.#timedAsker.askLater(open, address, prepared, collection);
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
    this.#timedAsker.askInTurn([...byDomain, ...local], address, prepared, collection);
    const open: Later[] = [];
    for (const next of later) {
      if (!this.#timedAsker.askAtOnce(next, open, address, prepared, collection)) open.push(next);
    }
    if (open.length > 0) return this.#timedAsker.askLater(open, address, prepared, collection);
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

  #prepare(
    inputs: PreparationInputs,
    kept?: ReadonlyMap<string, PreparedProvider>,
  ): Promise<PreparedProviders> {
    return prepareProviders(this.#providers, inputs, (provider) => grantPorts(provider, this.#ports), kept);
  }

  #begin(kept: Beginning | undefined, counters: Counters | undefined): Collection {
    return new Collection(kept ?? this.#plan.blank, this.#report, counters);
  }

  readonly #report: ReportBreach = (provider, breach) =>
    this.#ports.logFor(provider).warn({}, `provider breaks its declaration: ${breach}`);
}
