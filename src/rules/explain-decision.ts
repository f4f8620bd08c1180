import type { CataloguedFacts } from '../signals/signals.ts';
import { describeCondition, factsRead, isReference, literalsOf, partsOf } from './conditions.ts';
import { decide } from './decide.ts';
import type { Action, Decision, Facts } from './decision.ts';
import { type NormalCondition, RISK_SCORE } from './definitions.ts';
import { quickAction, quickTally, truthOf } from './kleene.ts';
import { entryNaming, isNamedList } from './named-list.ts';
import { ROLLOUT_BUCKET, sidesIn } from './rollout.ts';
import { type RuleSet, rulesOf } from './rule-set.ts';
import { HIGHEST_SCORE, LOWEST_SCORE, totalOf } from './score.ts';
import { tellingValues } from './telling-values.ts';

/** A decision on facts, its explanation, and which other facts would turn it. */
export type ExplainedDecision = Awaited<ReturnType<typeof explainDecision>>;

/** Takes some milliseconds for each fact that the rules read. */
export async function explainDecision(ruleSet: RuleSet, known: CataloguedFacts, facts: Facts) {
  const decision = await decide(ruleSet, facts);
  return {
    decision,
    counts: countParts(ruleSet, facts, decision.score),
    outlook: await findFlips(ruleSet, known, facts),
    listed: findListed(ruleSet, facts),
    named: judgeNamed(ruleSet, facts),
    rollouts: sidesIn(ruleSet, decision.ledger, facts),
  };
}

/** For each named condition: whether it holds, its meaning, and the rules that use it. */
function judgeNamed({ conditions, constants }: RuleSet, facts: Facts) {
  const all = { ...facts, ...constants };
  return conditions.map(({ name, condition, rules }) => {
    return { name, holds: truthOf(condition, all), means: describeCondition(condition), rules };
  });
}

/** Named lists that a rule looks into and that contain a domain of these facts, with the entry that matches. */
function findListed(ruleSet: RuleSet, facts: Facts) {
  const looks = rulesOf(ruleSet)
    .flatMap(({ condition }) => literalsOf(condition))
    .flatMap(({ fact, value }) => {
      const list = isReference(value) ? ruleSet.constants[value.fact] : undefined;
      return isNamedList(list) && fact !== ROLLOUT_BUCKET ? [{ fact, list }] : [];
    });
  const distinct = new Map(looks.map((look) => [`${look.fact} ${look.list.name}`, look]));
  return [...distinct.values()].flatMap(({ fact, list }) => {
    const value = facts[fact];
    const entry = typeof value === 'string' ? entryNaming(value, list) : undefined;
    return entry === undefined ? [] : [{ fact, value: String(value), list: list.name, entry }];
  });
}

/** One or two facts that would have turned the action, everything else left as it was. */
export interface Flip {
  /** By fact: the value that turns the action. */
  readonly changes: Facts;
  /** What the same facts are now. */
  readonly from: Facts;
  /** The decision of json-rules-engine on the changed facts. */
  readonly decision: Decision;
}

/** How far a decision is from the opposite action. */
export type Outlook = Awaited<ReturnType<typeof findFlips>>;

const MOST_FLIPS = 5;

/** A change of facts that turns the action by Kleene's logic; the engine has not confirmed it yet. */
interface Candidate {
  readonly changes: Facts;
  readonly isForced: boolean;
  readonly distance: number;
}

/**
 * Searches for the nearest facts that would have turned the action. Each fact gets every value that a rule can tell apart, alone, and
 * in pairs where no single fact turns the action unforced. Each flip is run through the engine; rejects where the engine disagrees.
 */
export async function findFlips(ruleSet: RuleSet, known: CataloguedFacts, facts: Facts) {
  const score = quickTally(ruleSet, facts).score;
  const now = quickAction(ruleSet, facts, score).action;
  const action: Action = now === 'ALLOW' ? 'BLOCK' : 'ALLOW';
  const attempt = (changes: Facts): readonly Candidate[] => {
    const then = { ...facts, ...changes };
    const thenScore = quickTally(ruleSet, then).score;
    const outcome = quickAction(ruleSet, then, thenScore);
    if (outcome.action !== action) return [];
    return [{ changes, isForced: outcome.isForced, distance: Math.abs(thenScore - score) }];
  };

  const changes = possibleValues(ruleSet, known).flatMap(({ id, values }) =>
    values.filter((value) => value !== facts[id]).map((value): Facts => ({ [id]: value })),
  );
  const alone = changes.flatMap(attempt);
  // A fact that turns the action alone is not tried in pairs.
  const rest = changes.filter((change) => !alone.some((found) => namesOf(found.changes) === namesOf(change)));
  const inPairs = () =>
    rest.flatMap((one, index) =>
      rest
        .slice(index + 1)
        .flatMap((other) => (namesOf(one) === namesOf(other) ? [] : attempt({ ...one, ...other }))),
    );
  const found = alone.some(({ isForced }) => !isForced) ? alone : [...alone, ...inPairs()];
  const flips: Flip[] = [];
  for (const { changes } of nearestFirst(found).slice(0, MOST_FLIPS)) {
    const decision = await decide(ruleSet, { ...facts, ...changes });
    if (decision.action !== action) {
      throw new Error(`${JSON.stringify(changes)} does not turn the action in json-rules-engine`);
    }
    const from = Object.fromEntries(Object.keys(changes).map((id) => [id, facts[id] ?? null]));
    flips.push({ changes, from, decision });
  }
  // Order of flips: fewer facts first, then unforced before forced, then the smaller change of score.
  return { action, points: pointsAway(ruleSet, facts, action), flips };
}

/** The facts that rules read, each with the values that they tell apart. A named list of 200,000 entries takes a tenth of a second. */
function possibleValues(ruleSet: RuleSet, known: CataloguedFacts) {
  const { points, forces, actions, constants } = ruleSet;
  const literals = [...points, ...forces, ...actions].flatMap(({ condition }) => literalsOf(condition));
  const read = new Set(literals.flatMap(factsRead));
  return [...read].sort().flatMap((id) => {
    const fact = known.get(id);
    return !fact || fact.disabled ? [] : [{ id, values: tellingValues(fact, literals, constants) }];
  });
}

function namesOf(changes: Facts): string {
  return Object.keys(changes).join(' ');
}

/** Sorted; where several candidates change the same facts, only the nearest. */
function nearestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const sorted = candidates.toSorted(
    (a, b) =>
      Object.keys(a.changes).length - Object.keys(b.changes).length ||
      Number(a.isForced) - Number(b.isForced) ||
      a.distance - b.distance,
  );
  const byNames = Map.groupBy(sorted, ({ changes }) => namesOf(changes));
  return [...byNames.values()].flatMap(([nearest]) => nearest ?? []);
}

/**
 * The fewest points to add (below 0: to take away) for these facts to come to the action, counted from the total before it is bounded
 * to 0 to 100. Null where no score gives the action, as under a forced action.
 */
function pointsAway(ruleSet: RuleSet, facts: Facts, action: Action): number | null {
  const tally = quickTally(ruleSet, facts);
  const { score } = tally;
  const step = action === 'BLOCK' ? 1 : -1;
  for (let other = score + step; other >= LOWEST_SCORE && other <= HIGHEST_SCORE; other += step) {
    if (quickAction(ruleSet, facts, other).action === action) return other - totalOf(tally);
  }
  return null;
}

/** The parts of an `at_least`, each as text, by whether they hold. */
interface PartCount {
  readonly rule: string;
  readonly needed: number;
  readonly held: readonly string[];
  readonly unknown: readonly string[];
  readonly failed: readonly string[];
}

/** One count for each `at_least` of forces, points rules and actions. A negated `at_least` is counted in the form without `not`. */
function countParts(ruleSet: RuleSet, given: Facts, score: number): readonly PartCount[] {
  const { forces, points, actions, constants } = ruleSet;
  const facts = { ...given, ...constants, [RISK_SCORE]: score };
  const countsOf = (rule: string, condition: NormalCondition): readonly PartCount[] => {
    if ('fact' in condition) return [];
    const below = partsOf(condition).flatMap((part) => countsOf(rule, part));
    if (!('at_least' in condition)) return below;
    const { count: needed, of } = condition.at_least;
    const those = (truth: boolean | null) =>
      of.filter((part) => truthOf(part, facts) === truth).map(describeCondition);
    return [{ rule, needed, held: those(true), unknown: those(null), failed: those(false) }, ...below];
  };
  return [...forces, ...points, ...actions].flatMap(({ id, condition }) => countsOf(id, condition));
}

/** `2 of 3 held: a equal true; b equal 1. It needs one more.` */
export function describeCount({ needed, held, unknown, failed }: PartCount): string {
  const of = held.length + unknown.length + failed.length;
  const names = held.length > 0 ? `: ${held.join('; ')}` : '';
  const open = unknown.length > 0 ? ` Unknown: ${unknown.join('; ')}.` : '';
  const lacking = needed - held.length;
  const verdict =
    lacking <= 0 ? `${needed} are enough.` : `It needs ${lacking === 1 ? 'one' : lacking} more.`;
  return `${held.length} of ${of} held${names}.${open} ${verdict}`;
}
