import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { suggest } from '../lib/did-you-mean.ts';
import { CLOCK, isoTime } from '../lib/time.ts';
import type { Address, Clock, FactValue } from '../provider-kit/index.ts';
import { decide } from '../rules/decide.ts';
import type { Decision, Facts } from '../rules/decision.ts';
import { describeMisfit, isValueOf } from '../rules/described-facts.ts';
import { isBucket, ROLLOUT_BUCKET, type SideOfRollout, sidesIn, withBucket } from '../rules/rollout.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { ProviderAnswer } from '../signals/collection.ts';
import { SignalCollector } from '../signals/signal-collector.ts';
import type { FactCatalogue, Signals } from '../signals/signals.ts';
import { ACTIVE_POLICY, type ActivePolicy } from './active-policy.ts';
import { RolloutBuckets, requireAddress } from './assessor.ts';

/** Facts as a person wrote them, by id; null is unknown. */
type GivenFacts = Readonly<Record<string, unknown>>;

/** Mistakes in one answer, at most: with more, the caller means other facts. */
const MOST_DETAILS = 20;
/** Longest id, in characters, that gets a suggestion: comparing takes its length times that of the known ids. */
const LONGEST_LIKENED = 100;

/**
 * Reads facts as the providers could have found them; one that is left out is unknown. Throws AppError `invalid_request`, with a detail for
 * each fact that no provider answers, that cannot have its value, or that is left out though it is never unknown.
 */
function readGivenFacts(given: GivenFacts, catalogue: FactCatalogue): Facts {
  const details: { path: string; message: string }[] = [];
  const report = (id: string, message: string) => details.push({ path: `body/facts/${id}`, message });
  const facts: Record<string, Facts[string]> = {};
  for (const [id, fact] of catalogue.facts) {
    const value = Object.hasOwn(given, id) ? given[id] : null;
    if (isValueOf(fact, value)) facts[id] = value;
    else report(id, describeMisfit(fact));
  }
  for (const id of Object.keys(given)) {
    if (catalogue.facts.has(id)) continue;
    if (id === ROLLOUT_BUCKET) {
      const isFit = given[id] === null || isBucket(given[id]);
      if (!isFit) report(id, `${id} is text of a number from 0 to 999, or null where it is unknown`);
      continue;
    }
    if (details.length >= MOST_DETAILS) break;
    const near = id.length > LONGEST_LIKENED ? undefined : suggest(id, catalogue.facts.keys());
    report(id, `no provider answers this fact${near === undefined ? '' : `; did you mean ${near}?`}`);
  }
  if (details.length > 0) throw new AppError('invalid_request', { details: details.slice(0, MOST_DETAILS) });
  return facts;
}

interface Judged {
  /** What was decided on: with the person's bucket, where some rule is rolled out. */
  readonly facts: Facts;
  readonly decision: Decision;
  readonly rollouts: readonly SideOfRollout[];
}

async function judge(ruleSet: RuleSet, found: Facts, bucket: () => string | null): Promise<Judged> {
  const facts = withBucket(found, ruleSet, bucket);
  const decision = await decide(ruleSet, facts);
  return { facts, decision, rollouts: sidesIn(ruleSet, decision.ledger, facts) };
}

/**
 * The steps of a trial: `answer` as each provider answers; `so_far`, the rules' decision on the facts known by then, after the immediate
 * answers and after each later one; last `decided`.
 */
export type TrialEvent =
  /** `at_us`: since the trial began. */
  | (Omit<ProviderAnswer, 'tookUs'> & {
      readonly event: 'answer';
      readonly took_us: number;
      readonly at_us: number;
    })
  | (Judged & { readonly event: 'so_far'; readonly at_us: number })
  | (Judged & {
      readonly event: 'decided';
      readonly signals: Signals;
      readonly at_us: number;
      /** ISO 8601, UTC, milliseconds. */
      readonly at: string;
    });

export type Trial = ReturnType<TryIt['begin']>;

/**
 * Assesses addresses at the dashboard and tells of each step: with the same look-ups and rules as a check, but nothing is recorded, counted
 * or charged. json-rules-engine is asked each time, so that trials push no verdict of `/v1` out of its memo.
 */
@injectable()
export class TryIt {
  constructor(
    @inject(SignalCollector) private readonly collector: SignalCollector,
    @inject(ACTIVE_POLICY) private readonly policies: ActivePolicy,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RolloutBuckets) private readonly buckets: RolloutBuckets,
  ) {}

  /** Throws AppError `unparseable_email` when the text is not one address. */
  begin(email: string) {
    const address = requireAddress(email);
    return { address, events: this.#run(address) };
  }

  /** The facts as given, and what the rules in force make of them. Throws AppError `invalid_request` where a fact cannot have its value. */
  async decide(given: GivenFacts) {
    const { ruleSet } = this.policies.current;
    const read = readGivenFacts(given, this.collector.catalogue);
    // The bucket that a trial of an address has shown; facts alone belong to no address.
    const bucket = given[ROLLOUT_BUCKET];
    return judge(ruleSet, read, () => (isBucket(bucket) ? bucket : null));
  }

  #run(address: Address): AsyncIterable<TrialEvent> {
    // Taken once: a reload meanwhile must not mix two rule sets in one decision.
    const { providers, ruleSet } = this.policies.current;
    const began = performance.now();
    let hasLeft = false;
    const sinceBegun = () => Math.round((performance.now() - began) * 1000);
    const known: Record<string, FactValue | null> = {};
    for (const id of this.collector.catalogue.facts.keys()) known[id] = null;
    const bucket = () => this.buckets.of(address.canonical.address);
    return new ReadableStream<TrialEvent>({
      start: async (stream) => {
        const tell = (event: TrialEvent) => {
          // After `cancel` nothing is enqueued; providers that were asked end by themselves at their deadline.
          if (!hasLeft) stream.enqueue(event);
        };
        let latest = 0;
        const decideSoFar = async () => {
          const turn = ++latest;
          const judged = await judge(ruleSet, { ...known }, bucket);
          // Out of date where a newer answer has started another decision.
          if (turn === latest) tell({ event: 'so_far', ...judged, at_us: sinceBegun() });
        };
        let isWaiting = false;
        const watching = this.collector.watch(address, providers, ({ tookUs, ...answer }) => {
          Object.assign(known, answer.facts);
          tell({ event: 'answer', ...answer, took_us: tookUs, at_us: sinceBegun() });
          if (isWaiting) decideSoFar().catch(stream.error.bind(stream));
        });
        isWaiting = true;
        decideSoFar().catch(stream.error.bind(stream));
        const signals = await watching;
        latest += 1;
        const judged = await judge(ruleSet, signals.facts, bucket);
        const at = isoTime(this.clock.now());
        tell({ event: 'decided', signals, ...judged, at_us: sinceBegun(), at });
        if (!hasLeft) stream.close();
      },
      cancel: () => {
        hasLeft = true;
      },
    });
  }
}
