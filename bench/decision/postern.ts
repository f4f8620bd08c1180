import { compileRuleSet } from '../../dist/src/rules/compile.js';
import { factsIn, toNegationNormalForm } from '../../dist/src/rules/conditions.js';
import { decide } from '../../dist/src/rules/decide.js';
import type { Decision } from '../../dist/src/rules/decision.js';
import type {
  Condition,
  LevelRule,
  PointsRule,
  Rule,
  RuleDefinitions,
} from '../../dist/src/rules/definitions.js';
import { MemoizedDecider } from '../../dist/src/rules/memoized-decider.js';
import type { RuleSet } from '../../dist/src/rules/rule-set.js';
import type { DescribedRule } from './description.ts';
import type { MakeEngine, Outcome } from './engine.ts';

const PLACE = { file: 'bench', line: 1, column: 1 };
const BASE = {
  description: 'For a benchmark.',
  owner: null,
  mode: 'live',
  starts: null,
  expires: null,
  place: PLACE,
} as const;

/** As in the service, for a vector of truth values that was seen before: the case of nearly every check. */
export const posternWarm: MakeEngine = (rules) => {
  const decider = new MemoizedDecider(ruleSetOf(rules));
  return {
    name: 'Postern, warm memo: score, level, action, ledger',
    decide: (facts) => decider.decide(facts),
    outcome: async (facts) => outcomeOf(await decider.decide(facts)),
  };
};

/** For a vector not seen before: two runs of json-rules-engine, each on a new engine, and Kleene's logic. */
export const posternCold: MakeEngine = (rules) => {
  const ruleSet = ruleSetOf(rules);
  return {
    name: 'Postern, cold: the same by json-rules-engine, a new engine per run',
    decide: (facts) => decide(ruleSet, facts),
    outcome: async (facts) => outcomeOf(await decide(ruleSet, facts)),
  };
};

function outcomeOf({ score, ledger }: Decision): Outcome {
  return { score, fired: ledger.flatMap((entry) => (entry.kind === 'rule' ? [entry.id] : [])).sort() };
}

function ruleSetOf(described: readonly DescribedRule[]): RuleSet {
  const rules: Rule[] = [...described.map(pointsRule), level('medium', 30), level('high', 70), block(70)];
  const definitions: RuleDefinitions = {
    groups: [{ id: 'bench', description: BASE.description, maxScore: 100 }],
    rules,
    thresholds: [],
    signals: {},
    lists: { allow: [], deny: [] },
    namedLists: [],
    conditions: [],
    tests: [],
  };
  return compileRuleSet(definitions, 0);
}

function pointsRule({ id, points, when }: DescribedRule): PointsRule {
  const conditions = { all: when.map((comparison) => ({ ...comparison, place: PLACE })) };
  return {
    ...base(id, conditions),
    kind: 'points',
    group: 'bench',
    points,
    absorbs: [],
    absorbsAt: [],
    rollout: null,
  };
}

function base(id: string, conditions: Condition) {
  const condition = toNegationNormalForm(conditions);
  return { ...BASE, id, conditions, condition, reads: factsIn(condition).toSorted() };
}

function level(name: LevelRule['level'], from: number): Rule {
  return { ...base(`level_${name}`, scoreFrom(from)), kind: 'level', level: name };
}

function block(from: number): Rule {
  return { ...base('block', scoreFrom(from)), kind: 'action', action: 'BLOCK' };
}

function scoreFrom(value: number): Condition {
  return { fact: 'risk_score', operator: 'greaterThanInclusive', value, place: PLACE };
}
