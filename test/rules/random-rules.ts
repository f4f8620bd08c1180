import fc from 'fast-check';
import { stringify } from 'yaml';
import type { FactValue } from '../../src/provider-kit/index.ts';
import { toNegationNormalForm, unorderedText } from '../../src/rules/conditions.ts';
import { type Facts, LEVELS } from '../../src/rules/decision.ts';
import { type Condition, RISK_SCORE } from '../../src/rules/definitions.ts';
import { engineSize, MOST_COMPARISONS } from '../../src/rules/engine-form.ts';
import { quickAction, quickTally, truthOf } from '../../src/rules/kleene.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { CataloguedFact } from '../../src/signals/signals.ts';
import { catalogue } from './catalogue.ts';

type Json = Readonly<Record<string, unknown>>;

const FACTS = [...catalogue.facts.values()].filter(({ disabled }) => !disabled);
const SURE = FACTS.filter((fact) => fact.never_unknown);

/** Few, and alike at both ends. */
const TEXTS = ['example', 'a.example', 'b.a.example', 'mail.a.example', 'mail.example', 'b.example', 'b'];
/** Lists that every directory has: one of whole names, one that overlaps it. */
const LISTS = {
  'lists/few.txt': '# Few.\nexample.example\nb.example\na.example\n',
  'lists/more.yaml':
    'description: More.\nowner: risk\nentries: [.a.example, { value: b.example, reason: It is. }]\n',
};
const STARTS = ['mail.', 'mail.a', 'b', 'b.', 'b.a.example'];
const ENDS = ['.example', 'a.example', '.a.example', 'mail.example'];

/** Small numbers, so that comparisons fall on both sides and on the bound itself. */
const someValue = ({ type, values }: CataloguedFact): fc.Arbitrary<FactValue> => {
  if (type === 'boolean') return fc.boolean();
  if (type === 'string') return fc.constantFrom(...(values ?? []));
  if (type === 'text' || type === 'domain') return fc.constantFrom(...TEXTS);
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
    if (fact.type === 'text' || fact.type === 'domain') return aboutText(fact, peers, plain);
    const right = fc.oneof(
      someValue(fact),
      fc.constantFrom(...peers),
      fc.constantFrom({ fact: 'threshold.two' }),
    );
    return fc.record({ fact: fc.constant(fact.id), operator: fc.constantFrom(...ORDER), value: right });
  });

const aboutText = (
  fact: CataloguedFact,
  peers: readonly Json[],
  plain: fc.Arbitrary<Json>,
): fc.Arbitrary<Json> => {
  const compared = (operators: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
    fc.record({ fact: fc.constant(fact.id), operator: fc.constantFrom(...operators), value });
  return fc.oneof(
    plain,
    compared(['equal', 'notEqual'], fc.constantFrom(...peers)),
    compared(['in', 'notIn'], fc.uniqueArray(someValue(fact), { minLength: 1, maxLength: 3 })),
    compared(['starts_with', 'not_starts_with'], fc.constantFrom(...STARTS)),
    compared(['ends_with', 'not_ends_with'], fc.constantFrom(...ENDS)),
    fact.type === 'domain' ? compared(['in_list', 'not_in_list'], fc.constantFrom('few', 'more')) : plain,
  );
};

/** Nothing is counted twice. */
const atLeast = (node: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.uniqueArray(node, {
        minLength: 1,
        maxLength: 4,
        selector: (part) => unorderedText(toNegationNormalForm(part as unknown as Condition)),
      }),
      fc.nat(),
    )
    .map(([of, number]) => ({ at_least: { count: 1 + (number % of.length), of } }));

/** `counts`: with `at_least` too. */
const condition = (facts: readonly CataloguedFact[], counts: boolean): fc.Arbitrary<Json> => {
  const { root } = fc.letrec<{ node: Json; root: Json }>((tie) => {
    const parts = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
    const combined = [fc.record({ all: parts }), fc.record({ any: parts }), fc.record({ not: tie('node') })];
    return {
      node: fc.oneof({ maxDepth: 3, depthSize: 'small' }, comparison(facts), tie('root')),
      root: fc.oneof(...combined, ...(counts ? [atLeast(tie('node'))] : [])),
    };
  });
  return counts ? root.filter(isSmallEnough) : root;
};

const isSmallEnough = (json: Json) =>
  engineSize(toNegationNormalForm(json as unknown as Condition)) <= MOST_COMPARISONS;

const points = (n: number) => ({ type: 'points', params: { points: n } });
const mode = fc.constantFrom('live', 'live', 'live', 'shadow', 'off');
const about = { description: 'Random.', owner: 'risk' };

/** A group whose composites keep lint's rules: worth their parts, of this group, closed. */
const group = (id: string, counts: boolean): fc.Arbitrary<Json> =>
  fc
    .record({
      max_score: fc.integer({ min: 0, max: 100 }),
      up: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), mode, condition(FACTS, counts)), {
        maxLength: 4,
      }),
      down: fc.array(fc.tuple(fc.integer({ min: -40, max: -1 }), mode, condition(SURE, counts)), {
        maxLength: 2,
      }),
      composites: fc.array(
        fc.tuple(
          fc.array(fc.nat(9), { maxLength: 3 }),
          fc.integer({ min: 0, max: 20 }),
          mode,
          condition(FACTS, counts),
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

const decision = (counts: boolean): fc.Arbitrary<Json> =>
  fc
    .record({
      medium: fc.integer({ min: 1, max: 60 }),
      gap: fc.integer({ min: 1, max: 40 }),
      block: fc.integer({ min: 1, max: 100 }),
      soft: fc.tuple(fc.integer({ min: 0, max: 80 }), condition(FACTS, counts)),
      allow: condition(SURE, counts),
      deny: condition(FACTS, counts),
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
        rule(
          'f_allow',
          { all: [allow, { fact: 'lists.allowed', operator: 'equal', value: true }] },
          'force',
          {
            action: 'ALLOW',
          },
        ),
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

const rulesWith = (counts: boolean): fc.Arbitrary<RandomRules> =>
  fc.record({
    decision: decision(counts),
    groups: fc.tuple(group('one', counts), group('two', counts)),
  });

/** A rules directory that passes lint. */
export const rules = rulesWith(false);
/** The same with conditions that count. */
export const countingRules = rulesWith(true);

/**
 * The same rules with every so-manieth part of their conditions under a name, declared in one of two files; parts of what counts
 * stay, since two of them could be the same without the `all` around one.
 */
export function withNames({ decision, groups }: RandomRules, every: number): RandomRules {
  const declared: Record<string, Json>[] = [{}, {}];
  let seen = 0;
  const part = (json: Json): Json => {
    const inner = within(json);
    seen += 1;
    if (seen % every !== 0 || JSON.stringify(json).includes(RISK_SCORE)) return inner;
    const name = `named_${seen}`;
    const conditions = 'fact' in inner ? { all: [inner] } : inner;
    Object.assign(declared[seen % 2] ?? {}, { [name]: { description: 'Random.', conditions } });
    return { condition: name };
  };
  const within = (json: Json): Json => {
    if ('not' in json) return { not: part(json.not as Json) };
    const combiner = (['all', 'any'] as const).find((key) => key in json);
    return combiner ? { [combiner]: (json[combiner] as readonly Json[]).map(part) } : json;
  };
  const naming = (rules: unknown) =>
    (rules as readonly Json[]).map((one) => ({ ...one, conditions: within(one.conditions as Json) }));
  const { forced, actions } = decision;
  const [first, ...others] = groups.map((one) => ({ ...one, rules: naming(one.rules) }));
  const named = { ...decision, forced: naming(forced), actions: naming(actions) };
  return {
    decision: { ...named, conditions: declared[0] },
    groups: [{ ...first, conditions: declared[1] }, ...others],
  };
}

/** Half of them with names, many or few. */
export const sometimesNamed = (random: fc.Arbitrary<RandomRules>): fc.Arbitrary<RandomRules> =>
  fc
    .tuple(random, fc.constantFrom(0, 0, 2, 6))
    .map(([one, every]) => (every === 0 ? one : withNames(one, every)));

/** Some of the rules with points for a part of people, some of them for the same part. */
export const rolledOut = (random: fc.Arbitrary<RandomRules>): fc.Arbitrary<RandomRules> =>
  fc
    .tuple(random, fc.infiniteStream(fc.constantFrom(null, null, null, null, 5, 50)))
    .map(([one, percents]) => ({
      ...one,
      groups: one.groups.map((group) => ({
        ...group,
        rules: (group.rules as readonly Json[]).map((rule) => {
          const percent = percents.next().value;
          return typeof percent === 'number' ? { ...rule, rollout: { percent, salt: 'all' } } : rule;
        }),
      })),
    }));

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
  return { ...LISTS, ...Object.fromEntries(texts), 'tests/decision.yaml': undefined };
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
  const score = quickTally(ruleSet, facts).score;
  const all = { ...facts, ...ruleSet.constants, [RISK_SCORE]: score };
  const fired = ruleSet.levels.filter(({ condition }) => truthOf(condition, all));
  const level = LEVELS.findLast((name) => fired.some((rule) => rule.level === name)) ?? 'low';
  return { score, level, action: quickAction(ruleSet, facts, score).action };
}
