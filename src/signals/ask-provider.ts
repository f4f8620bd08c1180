import { afterPendingIo } from '../lib/timers.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  type Address,
  type Answer,
  type Context,
  type Count,
  type FactType,
  type FactValue,
  type Findings,
  isUnknown,
  type LocalProvider,
  type NetworkProvider,
  type ProviderLog,
  UNKNOWN_REASONS,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';
import { fits } from './check-provider.ts';
import type { PreparedProviders } from './prepare-providers.ts';

// biome-ignore lint/suspicious/noExplicitAny: each provider alone reads the state it prepared
type State = any;
export type AnyLocalProvider = LocalProvider<State>;
export type AnyNetworkProvider = NetworkProvider<State>;

/** What each check reads of a provider, with all that its author left out filled in. */
export interface Asked<Provider extends AnyLocalProvider | AnyNetworkProvider> {
  readonly id: string;
  readonly facts: readonly AskedFact[];
  readonly needs: readonly string[];
  readonly check: Provider['check'];
  /** Of a local provider that counts. */
  readonly counts: AnyLocalProvider['counts'];
  /** Of a network provider that sets one. */
  readonly timeoutMs: number | undefined;
}

export interface AskedFact {
  readonly id: string;
  readonly type: FactType;
  readonly values: readonly string[] | undefined;
  readonly isNeverUnknown: boolean;
}

export type AskedProvider = Asked<AnyLocalProvider> | Asked<AnyNetworkProvider>;

export function asked<Provider extends AnyLocalProvider | AnyNetworkProvider>(
  provider: Provider,
): Asked<Provider> {
  return {
    id: provider.id,
    facts: provider.facts.map(({ id, type, values, never_unknown }) => ({
      id,
      type,
      values,
      isNeverUnknown: never_unknown === true,
    })),
    needs: provider.needs ?? [],
    // Its author may have written `this`.
    check: provider.check.bind(provider),
    counts: provider.stage === 'local' ? provider.counts?.bind(provider) : undefined,
    timeoutMs: provider.stage === 'network' ? provider.timeoutMs : undefined,
  };
}

/** The check that providers are asked for. */
export interface Asking {
  readonly address: Address;
  readonly prepared: PreparedProviders;
  /** These facts, as far as they are known; null where unknown. */
  needs(ids: readonly string[]): Readonly<Record<string, FactValue | null>>;
  /** Told where a provider answers against its declaration. */
  report(provider: string, breach: string): void;
}

/** More counts than these a provider cannot have. */
const MOST_COUNTS = 16;

export interface ProviderAskerOptions {
  readonly logFor: (provider: string) => ProviderLog;
  /** For network providers that set no time of their own. */
  readonly timeoutMs: number;
  readonly metrics: Metrics;
}

/** Asks one provider. Whatever the provider does, what comes back is an answer. */
export class ProviderAsker {
  readonly #options: ProviderAskerOptions;

  constructor(options: ProviderAskerOptions) {
    this.#options = options;
  }

  /** What was answered for this domain before, by a provider that reads nothing else and whose needs were these. */
  keptLocal(provider: Asked<AnyLocalProvider>, asking: Asking): Answer | undefined {
    return preparedOf(provider, asking).byDomain?.get(keyOf(provider, asking));
  }

  askLocal(
    provider: Asked<AnyLocalProvider>,
    asking: Asking,
    counted?: Readonly<Record<string, number>>,
  ): Answer {
    const { byDomain } = preparedOf(provider, asking);
    const context = contextOf(provider, asking);
    // What breaks its declaration, or fails, does so anew in each check.
    let isSound = true;
    const report = (id: string, breach: string) => {
      isSound = false;
      asking.report(id, breach);
    };
    try {
      const found = provider.check(asking.address, counted ? { ...context, counted } : context);
      const answer = readAnswer(found, provider.id, { report });
      if (byDomain && isSound && isRepeatable(provider, answer))
        byDomain.set(keyOf(provider, asking), answer);
      return answer;
    } catch (error) {
      this.#logFailure(provider, error);
      return unknown('error', error instanceof Error ? error.name : 'threw');
    }
  }

  /** What a provider counts this check under; why not, where it failed. */
  countsOf(provider: Asked<AnyLocalProvider>, asking: Asking): readonly Count[] | Unknown {
    try {
      const counts = provider.counts?.(asking.address, contextOf(provider, asking)) ?? [];
      if (counts.length <= MOST_COUNTS && counts.every((count) => isCount(count, provider))) return counts;
      asking.report(provider.id, `counts what is no count of its facts, or more than ${MOST_COUNTS}`);
      return unknown('error');
    } catch (error) {
      this.#logFailure(provider, error);
      return unknown('error', error instanceof Error ? error.name : 'threw');
    }
  }

  keptNetwork(provider: Asked<AnyNetworkProvider>, asking: Asking): Answer | undefined {
    const kept = preparedOf(provider, asking).cache?.get(asking.address);
    if (kept) this.#options.metrics.answerCacheRead(provider.id, 'hit');
    return kept;
  }

  askNetwork(provider: Asked<AnyNetworkProvider>, asking: Asking): Promise<Answer> {
    const { cache } = preparedOf(provider, asking);
    const question = () => this.#run(provider, asking);
    if (!cache) return question();
    const { address } = asking;
    this.#options.metrics.answerCacheRead(provider.id, cache.isAsking(address) ? 'joined' : 'miss');
    return cache.ask(address, question);
  }

  /** The provider's own time, which a joined question outlives: the answer still fills the cache. */
  async #run(provider: Asked<AnyNetworkProvider>, asking: Asking): Promise<Answer> {
    const { timeoutMs, metrics } = this.#options;
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
        provider.check(asking.address, { ...contextOf(provider, asking), signal: abort.signal }),
        late.promise.then(() => unknown('timeout')),
      ]);
      return readAnswer(answer, provider.id, asking);
    } catch (error) {
      this.#logFailure(provider, error);
      return unknown('error');
    } finally {
      clearTimeout(timer);
      metrics.providerTook(provider.id, performance.now() - started);
    }
  }

  #logFailure({ id }: AskedProvider, error: unknown): void {
    this.#options.logFor(id).warn({ err: error }, 'provider failed');
  }
}

function preparedOf({ id }: AskedProvider, { prepared }: Asking) {
  const found = prepared.byId.get(id);
  if (!found) throw new Error(`provider "${id}" was not prepared`);
  return found;
}

function contextOf(provider: AskedProvider, asking: Asking): Context<unknown> {
  const { context } = preparedOf(provider, asking);
  return provider.needs.length > 0 ? { ...context, needs: asking.needs(provider.needs) } : context;
}

/** The domain, and the facts that the answer follows from besides. */
function keyOf({ needs }: AskedProvider, asking: Asking): string {
  const { domain } = asking.address;
  return needs.length === 0 ? domain : JSON.stringify([domain, ...Object.values(asking.needs(needs))]);
}

function isRepeatable({ facts }: AskedProvider, answer: Answer): boolean {
  if (isUnknown(answer)) return answer.unknown === 'not_run';
  return facts.every((fact) => {
    const value: unknown = answer.facts[fact.id];
    return isUnknown(value) ? value.unknown === 'not_run' : fits(value, fact);
  });
}

function isCount(count: Partial<Count> | null, { facts }: AskedProvider): boolean {
  if (typeof count !== 'object' || count === null) return false;
  const { fact, text, window } = count;
  const isWindow = window === '1h' || window === '24h';
  return isWindow && typeof text === 'string' && facts.some(({ id }) => id === fact);
}

type Breaches = Pick<Asking, 'report'>;

/**
 * What a provider answered, as far as it can be used. A plugin may be plain JavaScript that no compiler has seen:
 * whatever it answers is its own unknown, and never the end of a check.
 */
function readAnswer(candidate: unknown, provider: string, breaches: Breaches): Answer {
  if (isUnknown(candidate)) return readUnknown(candidate, provider, breaches);
  const { facts, evidence, ttlSeconds } = membersOf(candidate);
  if (typeof facts !== 'object' || facts === null) {
    // A promise where none is awaited; its rejection must not end the process.
    if (candidate instanceof Promise) candidate.catch(() => undefined);
    breaches.report(provider, 'answered neither findings nor unknown');
    return unknown('error');
  }
  // The members are judged one by one against the declaration.
  const own = facts as Record<string, never>;
  const ttl = typeof ttlSeconds === 'number' ? ttlSeconds : undefined;
  if (evidence === undefined || isPlainJson(evidence)) return { facts: own, evidence, ttlSeconds: ttl };
  breaches.report(provider, 'answered evidence that is no plain JSON');
  return { facts: own, evidence: undefined, ttlSeconds: ttl };
}

/** Rules and records know a closed list of reasons. */
export function readUnknown(
  { unknown: reason, detail }: Unknown,
  provider: string,
  breaches: Breaches,
): Unknown {
  if (UNKNOWN_REASONS.includes(reason))
    return unknown(reason, typeof detail === 'string' ? detail : undefined);
  breaches.report(provider, 'answered unknown for a reason that is not of the list');
  return unknown('error');
}

function membersOf(candidate: unknown): { readonly [Member in keyof Findings]?: unknown } {
  return typeof candidate === 'object' && candidate !== null ? candidate : {};
}

/** Records hold it as JSON: what cannot be written, such as a cycle, would fail the whole check there. */
function isPlainJson(evidence: unknown): evidence is Readonly<Record<string, unknown>> {
  if (typeof evidence !== 'object' || evidence === null) return false;
  // Nearly all evidence is words, numbers and lists of them; only what holds more is worth writing out twice.
  if (Object.values(evidence).every(isFlat)) return true;
  try {
    return JSON.stringify(evidence) !== undefined;
  } catch {
    return false;
  }
}

function isFlat(member: unknown): boolean {
  return Array.isArray(member) ? !member.some(isDeep) : !isDeep(member);
}

function isDeep(member: unknown): boolean {
  const type = typeof member;
  return (type === 'object' && member !== null) || type === 'bigint' || type === 'function';
}
