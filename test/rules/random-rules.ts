import fc from 'fast-check';
import { stringify } from 'yaml';
import type { FactValue } from '../../src/provider-kit/index.ts';
import { type Facts, LEVELS } from '../../src/rules/decision.ts';
import { RISK_SCORE } from '../../src/rules/definitions.ts';
import { quickAction, quickScore, truthOf } from '../../src/rules/kleene.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { CataloguedFact } from '../../src/signals/signals.ts';
import { catalogue } from './catalogue.ts';

type Json = Readonly<Record<string, unknown>>;

const FACTS = [...catalogue.facts.values()].filter(({ disabled }) => !disabled);
const SURE = FACTS.filter((fact) => fact.never_unknown);

/** Small numbers, so that comparisons fall on both sides and on the bound itself. */
const someValue = ({ type, values }: CataloguedFact): fc.Arbitrary<FactValue> => {
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return fc.constantFrom(...(values ?? []));
  return type === 'integer' ? fc.integer({ min: 0, max: 4 }) : fc.constantFrom(0, 0.5, 1, 1.5, 2);
};

const ORDER = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];

const comparison = (facts: readonly CataloguedFact[]): fc.Arbitrary<Json> =>
  fc.constantFrom(...facts).chain((fact): fc.Arbitrary<Json> => {
    const plain = fc.record({
      fact: fc.constant(fact.id),
      operator: fc.constantFrom('equal', 'notEqual'),
      value: someValue(fact),
    });
    if (fact.type === 'boolean') return plain;
    if (fact.type === 'string') {
      const words = fc.uniqueArray(someValue(fact), { minLength: 1, maxLength: 3 });
      const list = fc.record({
        fact: fc.constant(fact.id),
        operator: fc.constantFrom('in', 'notIn'),
        value: words,
      });
      return fc.oneof(plain, list);
    }
    const peers = facts.filter(({ type }) => type === fact.type).map(({ id }) => ({ fact: id }));
    const right = fc.oneof(
      someValue(fact),
      fc.constantFrom(...peers),
      fc.constantFrom({ fact: 'threshold.two' }),
    );
    return fc.record({ fact: fc.constant(fact.id), operator: fc.constantFrom(...ORDER), value: right });
  });

const condition = (facts: readonly CataloguedFact[]): fc.Arbitrary<Json> =>
  fc.letrec<{ node: Json; root: Json }>((tie) => {
    const parts = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
    return {
      node: fc.oneof({ maxDepth: 3, depthSize: 'small' }, comparison(facts), tie('root')),
      root: fc.oneof(fc.record({ all: parts }), fc.record({ any: parts }), fc.record({ not: tie('node') })),
    };
  }).root;

const points = (n: number) => ({ type: 'points', params: { points: n } });
const mode = fc.constantFrom('live', 'live', 'live', 'shadow', 'off');
const about = { description: 'Random.', owner: 'risk' };

/** A group whose composites keep lint's rules: worth their parts, of this group, closed. */
const group = (id: string): fc.Arbitrary<Json> =>
  fc
    .record({
      max_score: fc.integer({ min: 0, max: 100 }),
      up: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), mode, condition(FACTS)), { maxLength: 4 }),
      down: fc.array(fc.tuple(fc.integer({ min: -40, max: -1 }), mode, condition(SURE)), { maxLength: 2 }),
      composites: fc.array(
        fc.tuple(
          fc.array(fc.nat(9), { maxLength: 3 }),
          fc.integer({ min: 0, max: 20 }),
          mode,
          condition(FACTS),
        ),
        { maxLength: 3 },
      ),
    })
    .map(({ max_score, up, down, composites }) => {
      type Positive = Json & { id: string; worth: number; absorbs: readonly string[] };
      const positive: Positive[] = up.map(([worth, itsMode, conditions], index) => {
        const rule = { id: `${id}_up_${index}`, ...about, mode: itsMode, conditions, event: points(worth) };
        return { ...rule, worth, absorbs: [] };
      });
      composites.forEach(([picks, extra, itsMode, conditions], index) => {
        const picked = picks.map((pick) => positive[pick]).filter((rule) => rule !== undefined);
        const absorbs = [...new Set(picked.flatMap((rule) => [rule.id, ...rule.absorbs]))];
        const parts = positive.filter((rule) => absorbs.includes(rule.id));
        const worth = parts.reduce((sum, part) => sum + part.worth, extra);
        if (worth === 0 || worth > 100) return;
        const rule = { id: `${id}_both_${index}`, ...about, mode: itsMode, conditions, event: points(worth) };
        positive.push({ ...rule, worth, absorbs });
      });
      const negative = down.map(([worth, itsMode, conditions], index) => {
        return { id: `${id}_down_${index}`, ...about, mode: itsMode, conditions, event: points(worth) };
      });
      const rules = [...positive.map(({ worth: _, ...rule }) => rule), ...negative];
      return { group: id, description: 'Random.', max_score, rules };
    });

const above = (score: number) => ({ fact: 'risk_score', operator: 'greaterThanInclusive', value: score });

const decision: fc.Arbitrary<Json> = fc
  .record({
    medium: fc.integer({ min: 1, max: 60 }),
    gap: fc.integer({ min: 1, max: 40 }),
    block: fc.integer({ min: 1, max: 100 }),
    soft: fc.tuple(fc.integer({ min: 0, max: 80 }), condition(FACTS)),
    allow: condition(SURE),
    deny: condition(FACTS),
  })
  .map(({ medium, gap, block, soft, allow, deny }) => ({
    thresholds: { two: { value: 2, description: 'Two.' } },
    levels: [
      rule('l_medium', { all: [above(medium)] }, 'level', { level: 'medium' }),
      rule('l_high', { not: { not: above(medium + gap) } }, 'level', { level: 'high' }),
    ],
    actions: [
      rule('a_score', { any: [above(block)] }, 'action', { action: 'BLOCK' }),
      rule('a_both', { all: [above(soft[0]), soft[1]] }, 'action', { action: 'BLOCK' }),
    ],
    forced: [
      rule('f_allow', { all: [allow, { fact: 'lists.allowed', operator: 'equal', value: true }] }, 'force', {
        action: 'ALLOW',
      }),
      rule('f_deny', { all: [deny, { fact: 'lists.denied', operator: 'equal', value: true }] }, 'force', {
        action: 'BLOCK',
      }),
    ],
  }));

function rule(id: string, conditions: Json, type: string, params: Json): Json {
  return { id, description: 'Random.', conditions, event: { type, params } };
}

export interface RandomRules {
  readonly decision: Json;
  readonly groups: readonly Json[];
}

/** A rules directory that passes lint. */
export const rules: fc.Arbitrary<RandomRules> = fc.record({
  decision,
  groups: fc.tuple(group('one'), group('two')),
});

/** The files, with groups, rules and conditions in an order drawn by `order`, or as they are. */
export function filesOf({ decision, groups }: RandomRules, order?: (list: readonly unknown[]) => unknown[]) {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return (order ? order(value) : value).map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shuffled(member)]));
  };
  const named: [string, unknown][] = groups.map((one) => [`${one.group}.yaml`, one]);
  const all: [string, unknown][] = [['decision.yaml', decision], ...named];
  const texts = (order ? (order(all) as typeof all) : all).map(([name, content]) => [
    name,
    // No anchors: generated conditions may share objects.
    stringify(shuffled(content), { aliasDuplicateObjects: false }),
  ]);
  return { ...Object.fromEntries(texts), 'tests/decision.yaml': undefined };
}

/** Every fact known. */
export const knownFacts: fc.Arbitrary<Record<string, FactValue>> = fc.record(
  Object.fromEntries([...catalogue.facts.values()].map((fact) => [fact.id, someValue(fact)])),
);

/** Known facts, and the same with some made unknown that may be. */
export const factsAndCompletion: fc.Arbitrary<{ readonly open: Facts; readonly known: Facts }> = fc
  .tuple(knownFacts, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
  .map(([known, hidden]) => {
    const open: Record<string, FactValue | null> = { ...known };
    FACTS.forEach(({ id, never_unknown }, index) => {
      if (!never_unknown && hidden[index % hidden.length]) open[id] = null;
    });
    return { open, known };
  });

/** What a rule set comes to on these facts, without json-rules-engine. */
export function outcome(ruleSet: RuleSet, facts: Facts) {
  const score = quickScore(ruleSet, facts);
  const all = { ...facts, ...ruleSet.thresholdFacts, [RISK_SCORE]: score };
  const fired = ruleSet.levels.filter(({ condition }) => truthOf(condition, all));
  const level = LEVELS.findLast((name) => fired.some((rule) => rule.level === name)) ?? 'low';
  return { score, level, action: quickAction(ruleSet, facts, score).action };
}
