import type { Metrics, Outcome } from '../observability/metrics.ts';
import type { Address } from '../provider-kit/index.ts';
import type { AskedProvider } from './asked-provider.ts';
import type { Collection, DomainSignals, SettledDomain } from './collection.ts';
import type { CollectionPlan } from './plan.ts';
import type { PreparedProviders } from './prepare-providers.ts';

/** What look-ups told of a domain, where the first of their answers has not ended yet. */
export function stillSettled(kept: DomainSignals | undefined): SettledDomain | undefined {
  return kept?.settled && kept.settled.until > performance.now() ? kept.settled : undefined;
}

/** Keeps what is found of a domain for the next address of it, and counts it as if it had been asked again. */
export class DomainKeeper {
  readonly #plan: CollectionPlan;
  readonly #metrics: Metrics;
  /** Of `laterByDomain`, those that asked somebody. */
  readonly #lookedUp: readonly string[];

  constructor(plan: CollectionPlan, metrics: Metrics) {
    this.#plan = plan;
    this.#metrics = metrics;
    this.#lookedUp = plan.later.flatMap(({ stage, isByDomain, provider }) =>
      isByDomain && stage === 'network' ? [provider.id] : [],
    );
  }

  /** Before anything else of the address is asked about. */
  keep(address: Address, { domains }: PreparedProviders, collection: Collection): void {
    const found = collection.asDomainSignals(this.#plan.byDomain);
    if (found) domains.set(address.domain, found);
  }

  /** Once every look-up's answer was at hand: until the first of them ends, none need be read again. */
  settle(address: Address, { domains, byId }: PreparedProviders, collection: Collection): void {
    const { laterByDomain } = this.#plan;
    const kept = domains.get(address.domain);
    if (kept === undefined || laterByDomain.length === 0) return;
    let leftMs = Number.POSITIVE_INFINITY;
    for (const { id } of laterByDomain) {
      leftMs = Math.min(leftMs, byId.get(id)?.cache?.remainingMs(address) ?? Number.POSITIVE_INFINITY);
    }
    const settled = collection.asSettledDomain(kept, laterByDomain, performance.now() + leftMs);
    if (settled) kept.settled = settled;
  }

  count({ outcomes }: DomainSignals): void {
    this.#count(this.#plan.byDomain, outcomes);
  }

  countSettled({ outcomes }: SettledDomain): void {
    this.#count(this.#plan.laterByDomain, outcomes);
    for (const id of this.#lookedUp) this.#metrics.answerCacheRead(id, 'hit');
  }

  #count(providers: readonly AskedProvider[], outcomes: readonly Outcome[]): void {
    // By index: an iterator over entries makes an array for each.
    for (let i = 0; i < outcomes.length; i++) {
      this.#metrics.providerAnswered(providers[i]?.id ?? '', outcomes[i] ?? 'known');
    }
  }
}
