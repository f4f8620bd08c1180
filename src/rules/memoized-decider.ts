import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { upTo } from '../lib/concurrency.ts';
import { accountFor, decide, outcomeOf, reachVerdict } from './decide.ts';
import type { Decision, Facts, Outcome } from './decision.ts';
import type { Verdict } from './ledger.ts';
import type { RuleSet } from './rule-set.ts';
import { TruthVector } from './truth-vector.ts';

/** A dozen true-or-false facts make some thousands of combinations, of which traffic shows a few hundred. */
const MAX_VERDICTS = 10_000;
/** One in so many cache hits is compared with the engine: at 2 ms a time for 150 rules, a tenth of a µs for each hit. */
const SAMPLE_EVERY = 20_000;

interface DeciderOptions {
  /** Called when cache and engine disagree, which is a bug; the engine's decision is returned. */
  readonly onMismatch?: (mismatch: { readonly remembered: Decision; readonly engine: Decision }) => void;
  readonly sampleEvery?: number;
}

/**
 * `decide` with a cache: json-rules-engine runs once for each vector of truth values of a rule set, at some
 * 200 µs, and later decisions with the same vector reuse its verdict. The ledger is written anew from each
 * request's facts. An error is never cached.
 */
export class MemoizedDecider {
  readonly #vector: TruthVector;
  readonly #remembered = new LRUCache<string, Verdict>(upTo(MAX_VERDICTS));
  readonly #sampleEvery: number;
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly ruleSet: RuleSet,
    private readonly options: DeciderOptions = {},
  ) {
    this.#vector = new TruthVector([ruleSet]);
    this.#sampleEvery = options.sampleEvery ?? SAMPLE_EVERY;
  }

  get counts(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  async decide(facts: Facts): Promise<Decision> {
    const { verdict, isKnown } = await this.#recall(facts);
    const decision = accountFor(this.ruleSet, verdict, facts);
    return isKnown && this.#hits % this.#sampleEvery === 0 ? this.#compare(decision, facts) : decision;
  }

  /**
   * The outcome of `decide` without the ledger, which is half of its cost: one truth vector and one cache lookup.
   * For callers that compare outcomes and show no ledger; a cache hit is never compared with the engine here.
   */
  async judge(facts: Facts): Promise<Outcome> {
    const { verdict } = await this.#recall(facts);
    return outcomeOf(this.ruleSet, verdict);
  }

  async #recall(facts: Facts): Promise<{ readonly verdict: Verdict; readonly isKnown: boolean }> {
    const key = this.#vector.keyOf(facts);
    const known = this.#remembered.get(key);
    if (known) {
      this.#hits += 1;
      return { verdict: known, isKnown: true };
    }
    this.#misses += 1;
    const verdict = await reachVerdict(this.ruleSet, facts);
    this.#remembered.set(key, verdict);
    return { verdict, isKnown: false };
  }

  async #compare(remembered: Decision, facts: Facts): Promise<Decision> {
    const engine = await decide(this.ruleSet, facts);
    if (!isDeepStrictEqual(remembered, engine)) this.options.onMismatch?.({ remembered, engine });
    return engine;
  }
}
