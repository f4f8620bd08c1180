import { inject, injectable } from '../di.ts';
import { readAddress } from '../email/read-address.ts';
import { AppError } from '../errors.ts';
import { METRICS, type Metrics, noMetrics } from '../observability/metrics.ts';
import type { Address, Count } from '../provider-kit/index.ts';
import type { RuleSet } from '../rules/compile.ts';
import type { Decision, Outcome } from '../rules/decision.ts';
import type { PreparedProviders } from '../signals/prepare-providers.ts';
import { SignalCollector } from '../signals/signal-collector.ts';
import type { Signals } from '../signals/signals.ts';
import { ACTIVE_POLICY, type ActivePolicy } from './active-policy.ts';
import { enterSandbox, SANDBOX_COUNT, sandboxDecision, sandboxSignals } from './sandbox.ts';

/** The one address that a text is. Throws AppError `unparseable_email` for any other. */
export function requireAddress(email: string): Address {
  const reading = readAddress(email);
  if (reading.ok) return reading.address;
  const { code, position, message } = reading.refusal;
  throw new AppError('unparseable_email', { details: [{ fault: code, position, message }] });
}

/** What the HTTP answer and `postern check --json` say in the same words. */
export function presentOutcome({ address, decision }: Pick<Assessment, 'address' | 'decision'>) {
  return {
    summary: { action: decision.action, risk_score: decision.score, risk_level: decision.level },
    normalized: {
      raw: address.raw,
      canonical: address.canonical.address,
      local_part: address.canonical.localPart,
      domain: address.canonical.domain,
      subaddress: address.subaddress,
      has_dots_removed: address.hasDotsRemoved,
    },
  };
}

/** What Postern thinks of an address, and why. */
export interface Assessment {
  readonly address: Address;
  readonly signals: Signals;
  readonly decision: Decision;
  /** What the challenger makes of the same facts. Null where there is none, where it failed, and outside the live world. */
  readonly challenge: Outcome | null;
  /** The shadow rules that were tried, each with the hash of its form; none outside the live world. */
  readonly shadowHashes: RuleSet['shadowHashes'];
}

/**
 * Where evidence comes from: `live` asks everybody; `local` sends no packet and leaves what a look-up would
 * tell unknown; `sandbox` is the fixed world of test keys.
 */
export type World = 'live' | 'local' | 'sandbox';

/** Counts one check; settled or undone by the caller of `assess`. */
export interface CheckCounting {
  count(canonicalAddress: string, counts: readonly Count[]): Promise<readonly number[]>;
}

const NONE: RuleSet['shadowHashes'] = {};

/** Parse, collect, decide. The service, `postern check` and `rules explain` of an address all come through here. */
@injectable()
export class Assessor {
  readonly #collector: SignalCollector;
  readonly #policies: ActivePolicy;
  readonly #metrics: Metrics;
  /** Reading the clock for stages that nobody looks at would cost as much as the rules do. */
  readonly #now: () => number;

  constructor(
    @inject(SignalCollector) collector: SignalCollector,
    @inject(ACTIVE_POLICY) policies: ActivePolicy,
    @inject(METRICS) metrics: Metrics,
  ) {
    this.#collector = collector;
    this.#policies = policies;
    this.#metrics = metrics;
    this.#now = metrics === noMetrics ? () => 0 : () => performance.now();
  }

  /**
   * Rejects with AppError `unparseable_email` when the text is not one address. `counting` is this one check's, to be
   * settled or undone by the caller; only the live world counts.
   */
  async assess(email: string, world: World = 'live', counting?: CheckCounting): Promise<Assessment> {
    const started = this.#now();
    const address = requireAddress(email);
    const parsed = this.#now();
    if (world === 'sandbox') await enterSandbox(address);
    // Taken once: a reload during the look-ups must not mix two rule sets in one decision.
    const { decider, providers, ruleSet, challenger } = this.#policies.current;
    const collecting = this.#signals(address, providers, world, counting);
    // Nearly always both are there at once; to await what is there would cost a turn of the microtask queue.
    const signals = collecting instanceof Promise ? await collecting : collecting;
    const collected = this.#now();
    const deciding = decider.decide(signals.facts);
    const decision = deciding instanceof Promise ? await deciding : deciding;
    if (world !== 'live') {
      const shown = world === 'sandbox' ? sandboxDecision(address, decision) : decision;
      return { address, signals, decision: shown, challenge: null, shadowHashes: NONE };
    }
    this.#metrics.stageTook('parse', parsed - started);
    this.#metrics.stageTook('collect', collected - parsed);
    this.#metrics.stageTook('decide', this.#now() - collected);
    const judging = challenger ? challenger.judge(signals.facts) : null;
    const challenge = judging instanceof Promise ? await judging : judging;
    return { address, signals, decision, challenge, shadowHashes: ruleSet.shadowHashes };
  }

  #signals(
    address: Address,
    providers: PreparedProviders,
    world: World,
    counting: CheckCounting | undefined,
  ): Signals | Promise<Signals> {
    if (world === 'live') {
      const { canonical } = address;
      return this.#collector.collect(
        address,
        providers,
        counting && ((counts) => counting.count(canonical.address, counts)),
      );
    }
    if (world === 'local') return this.#collector.collectLocal(address, providers);
    return sandboxSignals(address, (given) =>
      this.#collector.collectLocal(address, providers, {
        facts: this.#collector.ofEnabled(given),
        everyCount: SANDBOX_COUNT,
      }),
    );
  }
}
