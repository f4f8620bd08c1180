import { Engine, Operator as EngineOperator } from 'json-rules-engine';
import { byId } from '../lib/text.ts';
import type { FactValue } from '../provider-kit/index.ts';
import { type Decision, type Facts, LEVELS, type Outcome } from './decision.ts';
import { LIST_PREFIX, RISK_SCORE } from './definitions.ts';
import { engineForm } from './engine-form.ts';
import { type Evidence, factValue, missingFact, openFacts } from './kleene.ts';
import { type Verdict, writeLedger } from './ledger.ts';
import { isNamedList, type NamedList } from './named-list.ts';
import { holds, LIST_OPERATORS, OPERATOR_NAMES, type RightSide } from './operators.ts';
import type { CompiledLevel, CompiledRule, RuleSet } from './rule-set.ts';
import { addUp } from './score.ts';

/** The engine has only the name of a list as a value: these operators look the list up by its name. */
function engineOperators(lists: ReadonlyMap<RightSide, NamedList>) {
  return OPERATOR_NAMES.map((name) => {
    const isOfList = LIST_OPERATORS.some((operator) => operator === name);
    const listOf = (right: RightSide) => lists.get(right) ?? missingFact(`${LIST_PREFIX}${right}`);
    return new EngineOperator<FactValue | null, RightSide>(name, (left, right) =>
      holds(name, left, isOfList ? listOf(right) : right),
    );
  });
}

/**
 * The rules whose condition is true, found by json-rules-engine. Each run has its own Engine: `status` belongs
 * to the engine, so the first of two overlapping runs to end would make the other skip rules silently
 * (7.3.1). Rejects when the count of results shows that a rule was lost.
 */
export async function fire(
  rules: readonly CompiledRule[],
  facts: Evidence,
): Promise<ReadonlySet<CompiledRule>> {
  if (rules.length === 0) return new Set();
  const engine = new Engine();
  // Named by index, not by id: a rolled-out rule is in the list twice with one id.
  for (const [place, { kind, condition }] of rules.entries()) {
    engine.addRule({ name: String(place), event: { type: kind }, conditions: engineForm(condition) });
  }
  const read = new Set(rules.flatMap(({ reads }) => reads));
  const lists = new Map<RightSide, NamedList>();
  const values = [...read].map((id) => {
    const value = factValue(id, facts);
    if (!isNamedList(value)) return [id, value];
    lists.set(value.name, value);
    return [id, value.name];
  });
  for (const operator of engineOperators(lists)) engine.addOperator(operator);
  const { results, failureResults } = await engine.run(Object.fromEntries(values));
  if (results.length + failureResults.length !== rules.length) {
    const count = results.length + failureResults.length;
    throw new Error(
      `only ${count} of ${rules.length} rules were evaluated: an incomplete run is no decision`,
    );
  }
  const places = new Set(results.map(({ name }) => name));
  return new Set(rules.filter((_, place) => places.has(String(place))));
}

/** Asks json-rules-engine. Rejects when a fact that a rule reads is missing, or when the engine lost a rule: both are bugs. */
export async function reachVerdict(ruleSet: RuleSet, given: Facts): Promise<Verdict> {
  const evidence = { ...given, ...ruleSet.constants };
  const { forces, points, shadows, levels, actions } = ruleSet;
  const first = await fire([...forces, ...points, ...shadows], evidence);
  const firedForces = forces.filter((rule) => first.has(rule));
  const firedPoints = points.filter((rule) => first.has(rule));
  const tally = addUp(firedPoints, ruleSet.caps);

  const facts = { ...evidence, [RISK_SCORE]: tally.score };
  const second = await fire([...levels, ...actions], facts);
  const forced = firedForces.find(({ action }) => action === 'ALLOW') ?? firedForces[0];
  const deciders = forced ? [forced] : actions.filter((rule) => second.has(rule));
  return {
    forces: firedForces,
    points: firedPoints,
    shadows: shadows.filter((rule) => first.has(rule)),
    tally,
    stoodAside: stoodAside(ruleSet, facts),
    level: gravest(levels.filter((rule) => second.has(rule))),
    deciders,
    action: deciders[0]?.action ?? 'ALLOW',
  };
}

/** The fired rule of the gravest level; where several give that level, the first by id. */
function gravest(fired: readonly CompiledLevel[]): CompiledLevel | undefined {
  return LEVELS.map((level) => fired.find((rule) => rule.level === level)).findLast((rule) => rule);
}

/** Rules that could have acted, but that unknown facts left undecided. Shadow rules cannot act. */
function stoodAside({ forces, points, actions }: RuleSet, facts: Evidence): Verdict['stoodAside'] {
  return [...forces, ...points, ...actions]
    .flatMap(({ id, condition }) => {
      const unknown = [...new Set(openFacts(condition, facts))].sort();
      return unknown.length > 0 ? [{ id, unknown }] : [];
    })
    .toSorted(byId);
}

/**
 * Decides on facts with json-rules-engine alone. A function of its two arguments: no clock, no randomness,
 * no memory between calls. `MemoizedDecider` returns the same decisions faster, and is checked against this function.
 */
export async function decide(ruleSet: RuleSet, facts: Facts): Promise<Decision> {
  return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts);
}

/** Makes a decision of a verdict, with a ledger of these facts. */
export function accountFor(ruleSet: RuleSet, verdict: Verdict, facts: Facts): Decision {
  return { ...outcomeOf(ruleSet, verdict), ledger: writeLedger(ruleSet, verdict, facts) };
}

/** A verdict without a ledger. */
export function outcomeOf({ hash }: RuleSet, { tally, level, action }: Verdict): Outcome {
  return { score: tally.score, level: level?.level ?? 'low', action, ruleset: hash };
}
