import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { decide, outcomeOf, reachVerdict } from './decide.ts';
import type { Decision, Facts, Outcome } from './decision.ts';
import { type LedgerPlan, planLedger, type Row, writeLedger } from './ledger.ts';
import type { RuleSet } from './rule-set.ts';
import { TruthVector } from './truth-vector.ts';

/**
 * Distinct verdicts kept. A dozen true-or-false facts make some thousands of combinations, of which traffic
 * shows a few hundred; one with the plan of its ledger is about 1 kB.
 */
const MAX_VERDICTS = 10_000;
/** One in so many remembered decisions is also asked of the engine: at 2 ms a time for 150 rules, a tenth of a µs each. */
const SAMPLE_EVERY = 20_000;

export interface DeciderOptions {
  /** Called when memo and engine disagree, which is a bug; the engine's decision is taken. */
  readonly onMismatch?: (mismatch: { readonly remembered: Decision; readonly engine: Decision }) => void;
  readonly sampleEvery?: number;
}

/**
 * `decide`, remembered: json-rules-engine runs once for each vector of truth values of a rule set, at some
 * 200 µs, and later decisions with the same vector reuse its verdict. The ledger is written anew from each
 * request's facts. What throws is never remembered.
 */
export class MemoizedDecider {
  readonly #ruleSet: RuleSet;
  readonly #vector: TruthVector;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_VERDICTS });
  readonly #options: DeciderOptions;
  readonly #sampleEvery: number;
  #hits = 0;
  #misses = 0;

  constructor(ruleSet: RuleSet, options: DeciderOptions = {}) {
    this.#ruleSet = ruleSet;
    this.#vector = new TruthVector([ruleSet]);
    this.#options = options;
    this.#sampleEvery = options.sampleEvery ?? SAMPLE_EVERY;
  }

  get counts(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  /** Answers at once where the vector is known; otherwise a promise of the engine's word. */
  decide(facts: Facts): Decision | Promise<Decision> {
    const key = this.#vector.keyOf(facts);
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return this.#decideAnew(key, facts);
    this.#hits += 1;
    const decision = accountFor(remembered, this.#vector.row);
    return this.#hits % this.#sampleEvery === 0 ? this.#compare(decision, facts) : decision;
  }

  /**
   * What `decide` comes to, without the ledger that is half of its cost: one truth vector and one look into the memory.
   * For callers that compare and show nothing; remembered verdicts are not compared with the engine here.
   */
  judge(facts: Facts): Outcome | Promise<Outcome> {
    const key = this.#vector.keyOf(facts);
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return this.#judgeAnew(key, facts);
    this.#hits += 1;
    return remembered.outcome;
  }

  async #decideAnew(key: string, facts: Facts): Promise<Decision> {
    const remembered = await this.#ask(key, facts);
    // Other decisions may have used the row meanwhile.
    this.#vector.keyOf(facts);
    return accountFor(remembered, this.#vector.row);
  }

  async #judgeAnew(key: string, facts: Facts): Promise<Outcome> {
    const { outcome } = await this.#ask(key, facts);
    return outcome;
  }

  async #ask(key: string, facts: Facts): Promise<Remembered> {
    this.#misses += 1;
    const verdict = await reachVerdict(this.#ruleSet, facts);
    const plan = planLedger(this.#ruleSet, this.#vector.facts, verdict);
    const remembered = { outcome: outcomeOf(this.#ruleSet, verdict), plan };
    this.#remembered.set(key, remembered);
    return remembered;
  }

  async #compare(remembered: Decision, facts: Facts): Promise<Decision> {
    const engine = await decide(this.#ruleSet, facts);
    if (!isDeepStrictEqual(remembered, engine)) this.#options.onMismatch?.({ remembered, engine });
    return engine;
  }
}

/** What is kept of a verdict: what it comes to, and how it is accounted for. */
interface Remembered {
  readonly outcome: Outcome;
  readonly plan: LedgerPlan;
}

function accountFor({ outcome: { score, level, action, ruleset }, plan }: Remembered, row: Row): Decision {
  return { score, level, action, ruleset, ledger: writeLedger(plan, row) };
}
