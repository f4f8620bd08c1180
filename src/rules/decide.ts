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

/** The engine is given names of lists, and looks into none of them itself. */
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
 * The rules whose condition is true, found by json-rules-engine. A new Engine for each run: its
 * `status` lives on the engine, and of two overlapping runs the one that ends first would make the other
 * skip rules without a word (7.3.1). The count of results guards against any such loss.
 */
export async function fire(
  rules: readonly CompiledRule[],
  facts: Evidence,
): Promise<ReadonlySet<CompiledRule>> {
  if (rules.length === 0) return new Set();
  const engine = new Engine();
  // By their places: a rule that is rolled out stands here twice under one id.
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

/** Asks json-rules-engine. Rejects when a fact that a rule reads is missing, or when the engine lost a rule: bugs both. */
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

/** The gravest level; of several rules for it, the first by id. */
function gravest(fired: readonly CompiledLevel[]): CompiledLevel | undefined {
  return LEVELS.map((level) => fired.find((rule) => rule.level === level)).findLast((rule) => rule);
}

/** Rules that could have acted and were left open by unknown facts. Shadow rules cannot act. */
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
 * no memory between calls. `MemoizedDecider` says the same, faster; this is what it is held to.
 */
export async function decide(ruleSet: RuleSet, facts: Facts): Promise<Decision> {
  return accountFor(ruleSet, await reachVerdict(ruleSet, facts), facts);
}

/** A verdict with the ledger of these facts. */
export function accountFor(ruleSet: RuleSet, verdict: Verdict, facts: Facts): Decision {
  return { ...outcomeOf(ruleSet, verdict), ledger: writeLedger(ruleSet, verdict, facts) };
}

/** A verdict without a ledger. */
export function outcomeOf({ hash }: RuleSet, { tally, level, action }: Verdict): Outcome {
  return { score: tally.score, level: level?.level ?? 'low', action, ruleset: hash };
}
