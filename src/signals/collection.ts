import type { Metrics } from '../observability/metrics.ts';
import type { Span } from '../observability/tracing.ts';
import {
  type Address,
  type Answer,
  type Context,
  type FactValue,
  type Findings,
  isUnknown,
  type SignalProvider,
  type UnknownReason,
} from '../provider-kit/index.ts';
import type { PreparedProvider, PreparedProviders } from './prepare-providers.ts';
import type { ProviderFaults } from './provider-faults.ts';
import type { Outcome, Signals } from './signals.ts';

export interface ProviderAnswer extends Pick<Signals, 'facts' | 'unknown'> {
  readonly provider: string;
  readonly outcome: Outcome;
  /** Plain JSON; null where it has none. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
  /** Microseconds; 0 where the answer came from the cache. */
  readonly tookUs: number;
}

export interface Observers {
  readonly metrics: Metrics;
  /** The span of the check, where it is traced. */
  readonly span?: Span | undefined;
  readonly faults: ProviderFaults;
  readonly onAnswer?: ((answer: ProviderAnswer) => void) | undefined;
}

/** The answers to one check as they come in. */
export class Collection {
  readonly #facts: Record<string, FactValue | null>;
  readonly #unknown: Record<string, UnknownReason>;
  readonly #evidence: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly #timingsUs: Record<string, number>;
  readonly #degraded: string[] = [];

  constructor(
    readonly address: Address,
    private readonly providers: PreparedProviders,
    beginning: Pick<Signals, 'facts' | 'unknown' | 'timingsUs'>,
    readonly observers: Observers,
  ) {
    this.#facts = { ...beginning.facts };
    this.#unknown = { ...beginning.unknown };
    this.#timingsUs = { ...beginning.timingsUs };
  }

  prepared({ id }: SignalProvider): PreparedProvider {
    const found = this.providers.byId.get(id);
    if (!found) throw new Error(`provider "${id}" was not prepared`);
    return found;
  }

  context(provider: SignalProvider): Context<unknown> {
    const { context } = this.prepared(provider);
    return provider.needs?.length ? { ...context, needs: this.#values(provider.needs) } : context;
  }

  /** Sets facts of any provider, to a value or to unknown. Skips a fact that no provider declares: no rule can read it. */
  assume(given: Findings['facts']): void {
    for (const [id, value] of Object.entries(given)) {
      if (!(id in this.#facts)) continue;
      if (isUnknown(value)) {
        this.#facts[id] = null;
        this.#unknown[id] = value.unknown;
      } else {
        this.#facts[id] = value;
        delete this.#unknown[id];
      }
    }
  }

  /** Takes an answer as `readAnswer` gives it, or the host's own. The first failure among its facts becomes the provider's outcome. */
  accept(provider: SignalProvider, answer: Answer, tookMs: number, span?: Span): void {
    const { id } = provider;
    const tookUs = Math.round(tookMs * 1000);
    this.#timingsUs[id] = tookUs;
    const whole = isUnknown(answer);
    if (!whole && answer.evidence) this.#evidence[id] = answer.evidence;
    if (whole && answer.detail) this.#evidence[id] = { unknown: answer.detail };
    let outcome: Outcome = 'known';
    for (const fact of provider.facts) {
      const value = whole ? answer : answer.facts[fact.id];
      if (!isUnknown(value)) {
        this.#facts[fact.id] = value ?? null;
        continue;
      }
      const { unknown: reason } = value;
      this.#unknown[fact.id] = reason;
      if (outcome === 'known' || outcome === 'not_run') outcome = reason;
    }
    if (outcome !== 'known' && outcome !== 'not_run') this.#degraded.push(id);
    span?.end({ 'postern.provider': id, 'postern.outcome': outcome });
    this.observers.metrics.count('postern_provider_answers_total', { provider: id, outcome });
    this.observers.onAnswer?.({ provider: id, outcome, tookUs, ...this.#saidBy(provider) });
  }

  finish(): Signals {
    return {
      facts: this.#facts,
      unknown: this.#unknown,
      evidence: this.#evidence,
      timingsUs: this.#timingsUs,
      sources: this.providers.sources,
      degraded: this.#degraded.sort(),
    };
  }

  #saidBy({ id, facts }: SignalProvider): Pick<ProviderAnswer, 'facts' | 'unknown' | 'evidence'> {
    const ids = facts.map((fact) => fact.id);
    const unknown = Object.entries(this.#unknown).filter(([fact]) => ids.includes(fact));
    return {
      facts: this.#values(ids),
      unknown: Object.fromEntries(unknown),
      evidence: this.#evidence[id] ?? null,
    };
  }

  #values(ids: readonly string[]): Readonly<Record<string, FactValue | null>> {
    return Object.fromEntries(ids.map((id) => [id, this.#facts[id] ?? null]));
  }
}
