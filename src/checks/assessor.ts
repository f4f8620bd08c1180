import type { KeyObject } from 'node:crypto';
import { inject, injectable } from '../di.ts';
import { spellingOf } from '../email/canonical.ts';
import { readAddress } from '../email/read-address.ts';
import { AppError } from '../errors.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import type { Span } from '../observability/tracing.ts';
import { hashAddress } from '../privacy/address-privacy.ts';
import type { Address, Count } from '../provider-kit/index.ts';
import type { Decision, Facts, Outcome } from '../rules/decision.ts';
import { bucketOf, shadowsFor, withBucket } from '../rules/rollout.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { PreparedProviders } from '../signals/prepare-providers.ts';
import { SignalCollector } from '../signals/signal-collector.ts';
import type { Signals } from '../signals/signals.ts';
import { ACTIVE_POLICY, type ActivePolicy } from './active-policy.ts';
import { countInSandbox, enterSandbox, sandboxDecision, sandboxSignals } from './sandbox.ts';

/** Computes a person's rollout bucket from the keyed hash of the address. */
export class RolloutBuckets {
  #key: KeyObject | undefined;

  /** Called once the key is known: the rules are read before the data directory is opened. */
  open(key: KeyObject): void {
    this.#key = key;
  }

  /** Null without a key. */
  of(canonicalAddress: string): string | null {
    return this.#key === undefined ? null : bucketOf(hashAddress(this.#key, canonicalAddress));
  }
}

/** Reads a text that is exactly one address. Throws AppError `unparseable_email` for any other text. */
export function requireAddress(email: string): Address {
  const reading = readAddress(email);
  if (reading.ok) return reading.address;
  const { code, position, message } = reading.refusal;
  throw new AppError('unparseable_email', { details: [{ fault: code, position, message }] });
}

export interface Assessment {
  readonly address: Address;
  readonly signals: Signals;
  /** What the rules decided on: the facts of the signals, and the person's bucket where some rule is rolled out. */
  readonly facts: Facts;
  readonly decision: Decision;
  /** The challenger's decision on the same facts. Null where there is no challenger, where it failed, and outside the `live` world. */
  readonly challenge: Outcome | null;
  /** The shadow rules that were tried, by id, with the hash of their form; none outside `live`. A rolled-out rule is one for people outside it. */
  readonly shadowHashes: RuleSet['shadowHashes'];
  /** Ids of the rules that are rolled out. */
  readonly rolledOut: readonly string[];
}

/** `live` asks every provider; `local` sends no packet, so facts that need a look-up are unknown; `sandbox` is the world of test keys. */
export type World = 'live' | 'local' | 'sandbox';

/** Counts one check. The caller of `assess` settles or undoes the count. */
export interface CheckCounting {
  count(spelling: string, counts: readonly Count[]): Promise<Readonly<Record<string, number>>>;
}

const NONE: RuleSet['shadowHashes'] = {};

/** Parse, collect, decide. The service, `postern check` and `rules explain` of an address all come through here. */
@injectable()
export class Assessor {
  constructor(
    @inject(SignalCollector) private readonly collector: SignalCollector,
    @inject(ACTIVE_POLICY) private readonly policies: ActivePolicy,
    @inject(METRICS) private readonly metrics: Metrics,
    @inject(RolloutBuckets) private readonly buckets: RolloutBuckets,
  ) {}

  /**
   * Rejects with AppError `unparseable_email` when the text is not one address. `counting` is for this check alone; the caller settles or
   * undoes it. Test keys count nothing.
   */
  async assess(
    email: string,
    world: World = 'live',
    counting?: CheckCounting,
    span?: Span,
  ): Promise<Assessment> {
    const started = performance.now();
    const address = requireAddress(email);
    const parsed = performance.now();
    if (world === 'sandbox') await enterSandbox(address);
    // Taken once: a reload during the look-ups must not mix two rule sets in one decision.
    const { decider, providers, ruleSet, challenger } = this.policies.current;
    const signals = await this.#signals(address, providers, world, counting, span);
    const collected = performance.now();
    const deciding = span?.child('decide');
    const bucket = () => this.buckets.of(address.canonical.address);
    const facts = withBucket(signals.facts, ruleSet, bucket);
    const decision = await decider.decide(facts);
    deciding?.end({
      'postern.ruleset': decision.ruleset,
      'postern.score': decision.score,
      'postern.action': decision.action,
      'postern.level': decision.level,
    });
    const rolledOut = Object.keys(ruleSet.rollouts);
    if (world !== 'live') {
      const shown = world === 'sandbox' ? sandboxDecision(address, decision) : decision;
      return { address, signals, facts, decision: shown, challenge: null, shadowHashes: NONE, rolledOut };
    }
    this.metrics.took('postern_check_duration_seconds', { stage: 'parse' }, parsed - started);
    this.metrics.took('postern_check_duration_seconds', { stage: 'collect' }, collected - parsed);
    this.metrics.took('postern_check_duration_seconds', { stage: 'decide' }, performance.now() - collected);
    const challenge = challenger && (await challenger.judge(withBucket(facts, challenger.ruleSet, bucket)));
    return {
      address,
      signals,
      facts,
      decision,
      challenge,
      shadowHashes: shadowsFor(ruleSet, facts),
      rolledOut,
    };
  }

  #signals(
    address: Address,
    providers: PreparedProviders,
    world: World,
    counting?: CheckCounting,
    span?: Span,
  ): Promise<Signals> {
    const countAll = counting && ((counts: readonly Count[]) => counting.count(spellingOf(address), counts));
    if (world === 'live') return this.collector.collect(address, providers, countAll, span);
    if (world === 'local') return this.collector.collectLocal(address, providers, { countAll });
    return sandboxSignals(address, (given) => {
      const facts = this.collector.ofEnabled(given);
      return this.collector.collectLocal(address, providers, { facts, countAll: countInSandbox });
    });
  }
}
