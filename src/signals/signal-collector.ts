import { inject, injectAll, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { frozen } from '../lib/concurrency.ts';
import { withDeadline } from '../lib/time.ts';
import { METRICS, type Metrics, noMetrics } from '../observability/metrics.ts';
import type { Span } from '../observability/tracing.ts';
import {
  type Address,
  type Count,
  type Findings,
  isUnknown,
  type SignalProvider,
  unknown,
} from '../provider-kit/index.ts';
import { askLocal, askNetwork, countsOf } from './ask-provider.ts';
import { Collection, type Observers } from './collection.ts';
import { planCollection } from './plan-collection.ts';
import {
  type PreparationInputs,
  type PreparedProviders,
  prepareProviders,
  untouched,
} from './prepare-providers.ts';
import { ProviderFaults } from './provider-faults.ts';
import {
  CHECK_DEADLINE_MS,
  DISABLED_PROVIDER,
  type HostPorts,
  PORTS,
  SIGNAL_PROVIDER,
} from './provider-ports.ts';
import type { FactCatalogue, Signals } from './signals.ts';

/** Counts one check under each of these and tells the numbers, by fact. One call for a check; rejects when it cannot be counted. */
export type CountAll = (counts: readonly Count[]) => Promise<Readonly<Record<string, number>>>;

/** What is given in place of look-ups where no packet is sent. */
export interface Given {
  /** Facts that hold whichever provider would have found them out, such as those of the test world. */
  readonly facts?: Findings['facts'];
  /** Without it nothing is counted. */
  readonly countAll?: CountAll | undefined;
}

/**
 * Asks every enabled provider about an address: local ones at once; network ones side by side under one deadline, each as soon
 * as its needs are there; local ones that need what a look-up tells right after it; those that count last. A provider's failure
 * makes its facts unknown, and is no error.
 */
@injectable()
export class SignalCollector {
  readonly #plan;
  /** What goes wrong in the code of providers, in the service and in commands. */
  readonly faults: ProviderFaults;
  #hasPrepared = false;
  #hasAsked = false;

  constructor(
    @injectAll(SIGNAL_PROVIDER, { isOptional: true }) readonly providers: readonly SignalProvider[],
    @injectAll(DISABLED_PROVIDER, { isOptional: true }) readonly disabled: readonly SignalProvider[],
    @inject(PORTS) private readonly ports: HostPorts,
    @inject(CHECK_DEADLINE_MS) private readonly deadlineMs: number,
    @inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.#plan = planCollection(providers, disabled);
    this.faults = new ProviderFaults((provider) => ports.logFor(provider), metrics);
  }

  get catalogue(): FactCatalogue {
    return this.#plan.catalogue;
  }

  /** The given facts without those of disabled providers. */
  ofEnabled(given: Findings['facts']): Findings['facts'] {
    const { facts } = this.catalogue;
    return Object.fromEntries(Object.entries(given).filter(([id]) => facts.get(id)?.disabled !== true));
  }

  /**
   * Loads the providers' data. With an earlier result as `before`, prepares only the providers whose thresholds or lists have changed (with
   * `downloads`, those that read downloaded lists too) and those that need their facts; the others keep their state and cached answers.
   */
  async prepare(
    inputs: PreparationInputs,
    before?: PreparedProviders,
    { downloads }: { readonly downloads: boolean } = { downloads: false },
  ): Promise<PreparedProviders> {
    const kept = before && untouched(this.providers, before, { inputs, downloads });
    const prepared = await prepareProviders(this.providers, inputs, {
      ports: this.ports,
      kept,
      // Nothing is served before the first preparation, so a slow one holds up no request.
      faults: this.#hasPrepared ? this.faults : null,
      hasAsked: () => this.#hasAsked,
    });
    this.#hasPrepared = true;
    return prepared;
  }

  async collect(
    address: Address,
    prepared: PreparedProviders,
    countAll?: CountAll,
    span?: Span,
  ): Promise<Signals> {
    return this.#collect(this.#begin(address, prepared, { metrics: this.metrics, span }), countAll);
  }

  /** As `collect`, and hands over each provider's answer as soon as it is there. Counts nothing, in `/metrics` only faults of providers. */
  async watch(
    address: Address,
    prepared: PreparedProviders,
    onAnswer: NonNullable<Observers['onAnswer']>,
  ): Promise<Signals> {
    return this.#collect(this.#begin(address, prepared, { metrics: noMetrics, onAnswer }));
  }

  /** Asks the local providers alone; facts of look-ups are `not_run`, or as given. In `/metrics` only faults of providers are counted. */
  async collectLocal(
    address: Address,
    prepared: PreparedProviders,
    { facts = {}, countAll }: Given = {},
  ): Promise<Signals> {
    const collection = this.#begin(address, prepared, { metrics: noMetrics });
    const { local, later } = this.#plan;
    for (const provider of local) askLocal(provider, collection);
    for (const { provider } of later) {
      if (provider.stage === 'network') collection.accept(provider, unknown('not_run'), 0);
    }
    collection.assume(facts);
    for (const { provider } of later) if (provider.stage === 'local') askLocal(provider, collection);
    await this.#askCounting(collection, countAll);
    // Given facts also replace those that the counting providers answered.
    collection.assume(facts);
    return collection.finish();
  }

  #begin(address: Address, prepared: PreparedProviders, observers: Omit<Observers, 'faults'>): Collection {
    this.#hasAsked = true;
    // All providers get the same object. A provider that wrote into it would change what the others and the answer see.
    return new Collection(frozen(address), prepared, this.#plan.blank, { faults: this.faults, ...observers });
  }

  async #collect(collection: Collection, countAll?: CountAll): Promise<Signals> {
    const { local, later } = this.#plan;
    for (const provider of local) askLocal(provider, collection);
    if (later.length > 0) await this.#askLater(collection);
    await this.#askCounting(collection, countAll);
    return collection.finish();
  }

  /** Asks side by side under one deadline, each provider once those whose facts it needs have answered. */
  #askLater(collection: Collection): Promise<unknown> {
    return withDeadline(this.deadlineMs, (passed) => {
      const done = new Map<string, Promise<void>>();
      for (const { provider, after } of this.#plan.later) {
        const ask = async () => {
          if (after.length > 0) await Promise.all(after.map((id) => done.get(id)));
          if (provider.stage === 'local') askLocal(provider, collection);
          else await askNetwork(provider, collection, passed, provider.timeoutMs ?? this.deadlineMs);
        };
        done.set(provider.id, ask());
      }
      return Promise.all(done.values());
    });
  }

  /** One call for all that is counted. No deadline of its own: the port that counts has one, and rejects. */
  async #askCounting(collection: Collection, countAll?: CountAll): Promise<void> {
    const { counting } = this.#plan;
    if (!countAll) {
      for (const provider of counting) askLocal(provider, collection);
      return;
    }
    const asked = counting.map((provider) => ({ provider, counts: countsOf(provider, collection) }));
    const all = asked.flatMap(({ counts }) => (isUnknown(counts) ? [] : counts));
    let numbers: Awaited<ReturnType<CountAll>>;
    try {
      numbers = all.length > 0 ? await countAll(all) : {};
    } catch (err) {
      // An AppError is an outage that the port has logged, once a minute: an outage does not write a line for each check.
      const isBug = !(err instanceof AppError);
      for (const { provider, counts } of asked) {
        if (isBug) this.ports.logFor(provider.id).warn({ err }, 'checks cannot be counted');
        collection.accept(provider, isUnknown(counts) ? counts : unknown('error', 'not counted'), 0);
      }
      return;
    }
    for (const { provider, counts } of asked) {
      if (isUnknown(counts)) {
        collection.accept(provider, counts, 0);
        continue;
      }
      const own = Object.entries(numbers).filter(([fact]) => provider.facts.some(({ id }) => id === fact));
      askLocal(provider, collection, Object.fromEntries(own));
    }
  }
}
