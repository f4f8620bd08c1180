import { LRUCache } from 'lru-cache';
import type { CompiledPoints, RuleSet } from '../rules/compile.ts';
import type { Action, Facts, Level } from '../rules/decision.ts';
import { quickAction } from '../rules/quick-outcome.ts';
import { addUp } from '../rules/score.ts';
import { TruthVector } from '../rules/truth-vector.ts';
import { reachVerdict, type Verdict } from '../rules/verdict.ts';

/** All that a report tells of a decision. Cases that come to the same share one: of a million there are some hundreds. */
export interface Outcome {
  /** Its place among the outcomes of its judge, from 0. */
  readonly place: number;
  readonly score: number;
  readonly level: Level;
  readonly action: Action;
  /** The action that a forced rule set, whatever the score. */
  readonly forced: Action | null;
  /** Ids of the rules that fired and count, forced ones and absorbed ones included; sorted. */
  readonly fired: readonly string[];
  /** Ids of the shadow rules that fired; sorted. */
  readonly shadows: readonly string[];
  /** Those without which the action would be the other one, and shadow rules with which it would be; sorted. */
  readonly decisive: readonly string[];
  /** The ids of rules that unknown facts left open; sorted. */
  readonly stoodAside: readonly string[];
}

/** Truth vectors kept. A key and a reference: some 100 octets each. */
const MAX_VECTORS = 100_000;

/** Says what a rule set makes of facts, a million times: json-rules-engine is asked once for each vector of truth values. */
export class Judge {
  readonly ruleSet: RuleSet;
  readonly #vector: TruthVector;
  readonly #byVector = new LRUCache<string, Outcome>({ max: MAX_VECTORS });
  readonly #byContent = new Map<string, Outcome>();

  constructor(ruleSet: RuleSet) {
    this.ruleSet = ruleSet;
    this.#vector = new TruthVector(ruleSet);
  }

  /** At once where the vector is known. Throws when a fact that a rule reads is missing: a bug. */
  judge(facts: Facts): Outcome | Promise<Outcome> {
    const key = this.#vector.keyOf(facts);
    return this.#byVector.get(key) ?? this.#ask(key, facts);
  }

  async #ask(key: string, facts: Facts): Promise<Outcome> {
    const content = describeVerdict(this.ruleSet, await reachVerdict(this.ruleSet, facts), facts);
    const text = JSON.stringify(content);
    const outcome = this.#byContent.get(text) ?? { place: this.#byContent.size, ...content };
    this.#byContent.set(text, outcome);
    this.#byVector.set(key, outcome);
    return outcome;
  }
}

function describeVerdict(ruleSet: RuleSet, verdict: Verdict, facts: Facts): Omit<Outcome, 'place'> {
  const { forces, points, shadows, tally, level, action, stoodAside } = verdict;
  return {
    score: tally.score,
    level: level?.level ?? 'low',
    action,
    forced: forces.length > 0 ? action : null,
    fired: idsOf([...forces, ...points]),
    shadows: idsOf(shadows),
    decisive: decisiveIn(ruleSet, verdict, facts),
    stoodAside: idsOf(stoodAside),
  };
}

/** The action is worked out again without each rule by itself: what it absorbed counts then, and caps and bounds are new. */
function decisiveIn(ruleSet: RuleSet, verdict: Verdict, facts: Facts): readonly string[] {
  const { forces, points, shadows, action } = verdict;
  const actionOf = (fired: readonly CompiledPoints[], rules: RuleSet = ruleSet) =>
    quickAction(rules, facts, addUp(fired, ruleSet.caps).score).action;
  const without = (force: (typeof forces)[number]) =>
    actionOf(points, { ...ruleSet, forces: ruleSet.forces.filter(({ id }) => id !== force.id) });
  return idsOf([
    ...forces.filter((force) => without(force) !== action),
    ...points.filter((rule) => actionOf(points.filter((other) => other !== rule)) !== action),
    ...shadows.filter((rule) => actionOf([...points, rule].toSorted(byId)) !== action),
  ]);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function idsOf(rules: readonly { readonly id: string }[]): readonly string[] {
  return rules.map(({ id }) => id).sort();
}
