import { type Address, type FactValue, unknown } from '../../provider-kit/index.ts';
import type { Facts } from '../../rules/decision.ts';
import type { PreparedProviders } from '../../signals/prepare-providers.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';

/** What the providers that read lists find in them about an address; what they need of other providers is as it was recorded. */
export class ListFacts {
  readonly #ids: readonly string[];
  readonly #needs: readonly string[];
  /** Addresses of a domain share an answer, unless one of them stands in a list itself. */
  readonly #known = new Map<string, Facts>();

  constructor(
    private readonly collector: SignalCollector,
    private readonly prepared: PreparedProviders,
  ) {
    const readers = collector.providers.filter(({ id, stage }) => {
      const { readsLists = false, readsDownloads = false } = prepared.byId.get(id) ?? {};
      return stage === 'local' && (readsLists || readsDownloads);
    });
    this.#ids = readers.flatMap(({ facts }) => facts.map(({ id }) => id));
    this.#needs = readers.flatMap(({ needs = [] }) => needs);
  }

  of(address: Address, recorded: Facts): Facts {
    const needed = this.#needs.map((id) => [id, recorded[id] ?? null] as const);
    const key = JSON.stringify([address.canonical.address, needed]);
    const known = this.#known.get(key) ?? this.#find(address, needed);
    this.#known.set(key, known);
    return known;
  }

  #find(address: Address, needed: readonly (readonly [id: string, value: FactValue | null])[]): Facts {
    const given = needed.map(([id, value]) => [id, value ?? unknown('not_run')]);
    const { facts } = this.collector.collectLocal(address, this.prepared, {
      facts: Object.fromEntries(given),
    });
    return Object.fromEntries(this.#ids.map((id) => [id, facts[id] ?? null]));
  }
}
