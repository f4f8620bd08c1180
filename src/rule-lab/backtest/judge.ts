import { LRUCache } from 'lru-cache';
import { upTo } from '../../lib/concurrency.ts';
import { byId } from '../../lib/text.ts';
import { accountFor, reachVerdict } from '../../rules/decide.ts';
import type { Facts, LedgerEntry } from '../../rules/decision.ts';
import { openFacts, quickAction } from '../../rules/kleene.ts';
import type { Verdict } from '../../rules/ledger.ts';
import type { CompiledPoints, RuleSet } from '../../rules/rule-set.ts';
import { addUp } from '../../rules/score.ts';
import { TruthVector } from '../../rules/truth-vector.ts';
import type { BySide, Side } from './case.ts';

/** All that a report tells of a decision; rules by their ids, sorted. */
export type Outcome = ReturnType<typeof describeVerdict>;

/** The outcomes of a case under both sets. Cases with equal outcomes share one object: a million cases have some hundreds. */
export type OutcomePair = BySide<Outcome>;

/** Truth vectors kept. A key and a reference: some 100 octets each. */
const MAX_VECTORS = 100_000;

/**
 * Judges up to a million cases by two rule sets: one truth vector covers the comparisons of both sets, most of which they share, and
 * json-rules-engine is asked once for each vector.
 */
export class Judge {
  readonly #vector: TruthVector;
  readonly #byVector = new LRUCache<string, OutcomePair>(upTo(MAX_VECTORS));
  readonly #byContent = new Map<string, OutcomePair>();
  /** By fact that a rule reads: how many cases lack it. It is unknown in them. */
  readonly missing = new Map<string, number>();
  /** Facts that the present case lacks, on either side. */
  readonly #missingHere = new Set<string>();

  constructor(private readonly ruleSets: BySide<RuleSet>) {
    this.#vector = new TruthVector([ruleSets.base, ruleSets.candidate], (fact) => {
      this.#missingHere.add(fact);
      return null;
    });
  }

  /** Give one object twice where both sides have the same facts: one vector is then the key. */
  async judge(facts: Facts, candidateFacts: Facts): Promise<OutcomePair> {
    const key =
      facts === candidateFacts
        ? this.#vector.keyOf(facts)
        : this.#vector.keyOf(facts) + this.#vector.keyOf(candidateFacts);
    for (const fact of this.#missingHere) this.missing.set(fact, (this.missing.get(fact) ?? 0) + 1);
    this.#missingHere.clear();
    return this.#byVector.get(key) ?? this.#ask(key, facts, candidateFacts);
  }

  /** The ledger that a side would have written for facts. */
  async ledgerOf(side: Side, given: Facts): Promise<readonly LedgerEntry[]> {
    const [ruleSet, facts] = [this.ruleSets[side], this.#complete(given)];
    return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts).ledger;
  }

  /** The facts, with null for those that are missing. */
  #complete(facts: Facts): Facts {
    return { ...Object.fromEntries(this.#vector.facts.map((fact) => [fact, null])), ...facts };
  }

  async #ask(key: string, facts: Facts, candidateFacts: Facts): Promise<OutcomePair> {
    const { base, candidate } = this.ruleSets;
    const content = {
      base: await this.#describe(base, facts),
      candidate: await this.#describe(candidate, candidateFacts),
    };
    const text = JSON.stringify(content);
    const pair = this.#byContent.get(text) ?? content;
    this.#byContent.set(text, pair);
    this.#byVector.set(key, pair);
    return pair;
  }

  async #describe(ruleSet: RuleSet, given: Facts): Promise<Outcome> {
    const facts = this.#complete(given);
    const isThere = (id: string) => given[id] !== undefined;
    return describeVerdict(ruleSet, await reachVerdict(ruleSet, facts), facts, isThere);
  }
}

function describeVerdict(
  ruleSet: RuleSet,
  verdict: Verdict,
  facts: Facts,
  isThere: (fact: string) => boolean,
) {
  const { forces, points, shadows, tally, level, action, stoodAside } = verdict;
  const all = { ...facts, ...ruleSet.constants };
  const openShadows = ruleSet.shadows
    // A rule that is rolled out is reported where it counts.
    .filter(({ id }) => ruleSet.rollouts[id] === undefined)
    .map(({ id, condition }) => ({ id, unknown: openFacts(condition, all) }))
    .filter(({ unknown }) => unknown.length > 0);
  const open = [...stoodAside, ...openShadows];
  return {
    score: tally.score,
    level: level?.level ?? 'low',
    action,
    // The action that a forced rule set, whatever the score.
    forced: forces.length > 0 ? action : null,
    // Rules that count, forced and absorbed ones included.
    fired: idsOf([...forces, ...points]),
    shadows: idsOf(shadows),
    // Rules without which the action would change, and shadow rules with which it would.
    decisive: decisiveIn(ruleSet, verdict, facts),
    // Rules left open: by unknown facts, or (unjudged) by missing facts, without which their effect is not known. Shadow rules too.
    stoodAside: idsOf(open.filter(({ unknown }) => unknown.every(isThere))),
    unjudged: idsOf(open.filter(({ unknown }) => !unknown.every(isThere))),
  };
}

/** Works the action out again without each rule in turn: rules that it absorbed count then, and caps and bounds are new. */
function decisiveIn(ruleSet: RuleSet, verdict: Verdict, facts: Facts): readonly string[] {
  const { forces, points, action } = verdict;
  const tried = verdict.shadows.filter(({ id }) => ruleSet.rollouts[id] === undefined);
  const actionOf = (fired: readonly CompiledPoints[], rules: RuleSet = ruleSet) =>
    quickAction(rules, facts, addUp(fired, ruleSet.caps).score).action;
  const without = (force: (typeof forces)[number]) =>
    actionOf(points, { ...ruleSet, forces: ruleSet.forces.filter(({ id }) => id !== force.id) });
  return idsOf([
    ...forces.filter((force) => without(force) !== action),
    ...points.filter((rule) => actionOf(points.filter((other) => other !== rule)) !== action),
    ...tried.filter((rule) => actionOf([...points, rule].toSorted(byId)) !== action),
  ]);
}

function idsOf(rules: readonly { readonly id: string }[]): readonly string[] {
  return rules.map(({ id }) => id).sort();
}
