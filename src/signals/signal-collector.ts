import { inject, injectAll, injectable } from '../di.ts';
import { afterPendingIo } from '../lib/timers.ts';
import { METRICS, type Metrics, noMetrics } from '../observability/metrics.ts';
import {
  type Address,
  type Answer,
  type Count,
  type Findings,
  isUnknown,
  type SignalProvider,
  unknown,
} from '../provider-kit/index.ts';
import { type AnyLocalProvider, type Asked, type AskedProvider, ProviderAsker } from './ask-provider.ts';
import { Collection, type OnAnswer, type ReportBreach, WatchedCollection } from './collection.ts';
import { type CollectionPlan, type Later, planCollection } from './plan-collection.ts';
import {
  type PreparationInputs,
  type PreparedProvider,
  type PreparedProviders,
  prepareProviders,
  untouchedByDownloads,
  untouchedByRules,
} from './prepare-providers.ts';
import {
  CHECK_DEADLINE_MS,
  DISABLED_PROVIDER,
  grantPorts,
  type HostPorts,
  PORTS,
  SIGNAL_PROVIDER,
} from './provider-ports.ts';
import type { FactCatalogue, Signals } from './signals.ts';

/** Counts one check under each of these and tells each number, in order. One call for a check; rejects when it cannot be counted. */
export type CountAll = (counts: readonly Count[]) => Promise<readonly number[]>;

/** What is given in place of look-ups and counts where no packet is sent. */
export interface Given {
  /** Facts that hold whichever provider would have found them out, such as those of the test world. */
  readonly facts?: Findings['facts'];
  /** The number of every count; without it nothing is counted. */
  readonly everyCount?: number;
}

/**
 * Asks every enabled provider about an address: local ones at once; network ones side by side under one deadline, each as soon
 * as its needs are there; local ones that need what a look-up tells right after it; those that count last.
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

  /** Without what only providers that are switched off would find out. */
  ofEnabled(given: Findings['facts']): Findings['facts'] {
    const { facts } = this.catalogue;
    return Object.fromEntries(Object.entries(given).filter(([id]) => facts.get(id)?.disabled !== true));
  }

  /** The same, and nothing that it does shows in the metrics. */
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

  /** At once where nothing has to be waited for. A provider's failure is a fact that is unknown, and no error. */
  collect(address: Address, prepared: PreparedProviders, countAll?: CountAll): Signals | Promise<Signals> {
    const collection = new Collection(address, prepared, this.#plan.blank, this.#report);
    for (const provider of this.#plan.local) this.#acceptLocal(provider, collection);
    const open: Later[] = [];
    // Most domains were asked about a moment ago: then there is nothing to wait for, and no timer to set.
    for (const next of this.#plan.later) if (!this.#acceptAtOnce(next, open, collection)) open.push(next);
    const isCounting = countAll !== undefined && this.#plan.counting.length > 0;
    if (open.length > 0 || isCounting) return this.#collectLater(open, collection, countAll);
    this.#acceptUncounted(collection);
    return collection.finish();
  }

  /**
   * As `collect`, and tells of each provider's answer as soon as it is there. Nothing is counted. All are asked, even where
   * the domain was asked about a moment ago; what look-ups found then they say at once.
   */
  async watch(address: Address, prepared: PreparedProviders, onAnswer: OnAnswer): Promise<Signals> {
    const collection = new WatchedCollection(onAnswer, address, prepared, this.#plan.blank, this.#report);
    for (const provider of this.#plan.local) this.#askLocal(provider, collection);
    const open: Later[] = [];
    for (const next of this.#plan.later) if (!this.#acceptAtOnce(next, open, collection)) open.push(next);
    return this.#collectLater(open, collection, undefined);
  }

  /** What the local providers alone can tell; what look-ups would tell is unknown, not run, or given. Neither timed nor counted. */
  collectLocal(
    address: Address,
    prepared: PreparedProviders,
    { facts = {}, everyCount }: Given = {},
  ): Signals {
    const { local, later, counting, blank } = this.#plan;
    const collection = new Collection(address, prepared, blank, this.#report);
    const ask = (provider: Asked<AnyLocalProvider>) => {
      const answer =
        this.#asker.keptLocal(provider, collection) ?? this.#asker.askLocal(provider, collection);
      collection.accept(provider, answer, 0);
    };
    local.forEach(ask);
    for (const next of later) {
      if (next.stage === 'network') collection.accept(next.provider, unknown('not_run'), 0);
    }
    collection.assume(facts);
    for (const next of later) if (next.stage === 'local') ask(next.provider);
    for (const provider of counting) {
      const counted = everyCount === undefined ? undefined : countedAs(provider, () => everyCount);
      collection.accept(provider, this.#asker.askLocal(provider, collection, counted), 0);
    }
    // Also over what those found out in the end.
    collection.assume(facts);
    return collection.finish();
  }

  #prepare(
    inputs: PreparationInputs,
    kept?: ReadonlyMap<string, PreparedProvider>,
  ): Promise<PreparedProviders> {
    return prepareProviders(this.#providers, inputs, (provider) => grantPorts(provider, this.#ports), kept);
  }

  async #collectLater(
    open: readonly Later[],
    collection: Collection,
    countAll: CountAll | undefined,
  ): Promise<Signals> {
    if (open.length > 0) await this.#lookUp(open, collection);
    if (countAll) await this.#countAndAsk(countAll, collection);
    else this.#acceptUncounted(collection);
    return collection.finish();
  }

  /** Side by side under one deadline, each once those have answered whose facts it needs. */
  async #lookUp(open: readonly Later[], collection: Collection): Promise<void> {
    const deadline = Promise.withResolvers<void>();
    // One timer for all: a provider that has not answered when it fires is unknown.
    const timer = setTimeout(afterPendingIo(deadline.resolve), this.#deadlineMs);
    const done = new Map<string, Promise<void>>();
    for (const next of open) {
      const awaited = next.after.flatMap((id) => done.get(id) ?? []);
      const ask = async () => {
        if (awaited.length > 0) await Promise.all(awaited);
        if (next.stage === 'local') {
          this.#acceptLocal(next.provider, collection);
          return;
        }
        const started = performance.now();
        const answer = await Promise.race([
          this.#asker.askNetwork(next.provider, collection),
          deadline.promise.then(() => unknown('timeout', 'check.deadline_ms passed')),
        ]);
        this.#accept(next.provider, answer, performance.now() - started, collection);
      };
      done.set(next.provider.id, ask());
    }
    try {
      await Promise.all(done.values());
    } finally {
      clearTimeout(timer);
    }
  }

  /** One call for all that is counted. No deadline of its own: the port that counts has one, and rejects. */
  async #countAndAsk(countAll: CountAll, collection: Collection): Promise<void> {
    const asked = this.#plan.counting.map((provider) => ({
      provider,
      counts: this.#asker.countsOf(provider, collection),
    }));
    const counts = asked.flatMap((each) => (isUnknown(each.counts) ? [] : each.counts));
    let numbers: readonly number[] | undefined;
    try {
      numbers = counts.length > 0 ? await countAll(counts) : [];
    } catch (err) {
      for (const { provider } of asked) {
        this.#ports.logFor(provider.id).warn({ err }, 'checks cannot be counted');
      }
    }
    const byFact = new Map(counts.map(({ fact }, index) => [fact, numbers?.[index]]));
    for (const { provider, counts: own } of asked) {
      if (isUnknown(own)) this.#accept(provider, own, 0, collection);
      else if (numbers === undefined) this.#accept(provider, unknown('error', 'not counted'), 0, collection);
      else
        this.#askLocal(
          provider,
          collection,
          countedAs(provider, (fact) => byFact.get(fact)),
        );
    }
  }

  #acceptUncounted(collection: Collection): void {
    for (const provider of this.#plan.counting) this.#askLocal(provider, collection);
  }

  /** False, and not asked, where it must be waited for, or a provider whose facts it needs. */
  #acceptAtOnce(next: Later, open: readonly Later[], collection: Collection): boolean {
    if (next.stage === 'network') {
      const kept = this.#asker.keptNetwork(next.provider, collection);
      if (kept) this.#accept(next.provider, kept, 0, collection);
      return kept !== undefined;
    }
    if (open.some((other) => next.after.includes(other.provider.id))) return false;
    this.#acceptLocal(next.provider, collection);
    return true;
  }

  #acceptLocal(provider: Asked<AnyLocalProvider>, collection: Collection): void {
    const kept = this.#asker.keptLocal(provider, collection);
    if (kept) this.#accept(provider, kept, 0, collection);
    else this.#askLocal(provider, collection);
  }

  #askLocal(
    provider: Asked<AnyLocalProvider>,
    collection: Collection,
    counted?: Readonly<Record<string, number>>,
  ): void {
    const started = performance.now();
    const answer = this.#asker.askLocal(provider, collection, counted);
    const tookMs = performance.now() - started;
    this.#metrics.providerTook(provider.id, tookMs);
    this.#accept(provider, answer, tookMs, collection);
  }

  #accept(provider: AskedProvider, answer: Answer, tookMs: number, collection: Collection): void {
    const outcome = collection.accept(provider, answer, Math.round(tookMs * 1000));
    this.#metrics.providerAnswered(provider.id, outcome);
  }

  readonly #report: ReportBreach = (provider, breach) =>
    this.#ports.logFor(provider).warn({}, `provider breaks its declaration: ${breach}`);
}

/** The numbers of one provider's facts, without those that were not counted. */
function countedAs(
  { facts }: AskedProvider,
  numberOf: (fact: string) => number | undefined,
): Readonly<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { id } of facts) {
    const number = numberOf(id);
    if (number !== undefined) counted[id] = number;
  }
  return counted;
}
