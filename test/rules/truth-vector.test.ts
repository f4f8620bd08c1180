import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsRead, literalsOf } from '../../src/rules/conditions.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { RISK_SCORE } from '../../src/rules/definitions.ts';
import { openFacts, truthOf } from '../../src/rules/kleene.ts';
import { holds, OPERATOR_NAMES, type RightSide } from '../../src/rules/operators.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { FactClasses, TruthVector } from '../../src/rules/truth-vector.ts';
import { factsAndCompletion, filesOf, rules } from './random-rules.ts';
import { compile, group, points, when } from './rules-directory.ts';

const number = fc.oneof(
  fc.constantFrom(-1, -0, 0, 0.5, 1, 2, 70, Number.POSITIVE_INFINITY, Number.NaN),
  fc.integer({ min: -3, max: 3 }),
);
const word = fc.constantFrom('', 'low', 'medium', 'high', '1', 'true');
const value = fc.oneof(number, word, fc.boolean(), fc.constant(null));
const constant: fc.Arbitrary<RightSide> = fc.oneof(
  number.filter((some) => !Number.isNaN(some)),
  word,
  fc.boolean(),
  fc.uniqueArray(word, { maxLength: 3 }),
);

describe('the classes of a fact', () => {
  it('hold only values of which every comparison with the constants says the same', () => {
    let alike = 0;
    fc.assert(
      fc.property(fc.array(constant, { maxLength: 5 }), value, value, (constants, one, other) => {
        const classes = new FactClasses(constants);
        if (classes.classOf(one) !== classes.classOf(other)) return;
        if (!Object.is(one, other)) alike += 1;
        for (const right of constants) {
          for (const operator of OPERATOR_NAMES) {
            expect(holds(operator, one, right)).toBe(holds(operator, other, right));
          }
        }
        expect(one === null).toBe(other === null);
      }),
      { numRuns: 5_000, seed: 20261121 },
    );
    expect(alike).toBeGreaterThan(200);
  });

  it('are numbered from 0 to below their size', () => {
    fc.assert(
      fc.property(fc.array(constant, { maxLength: 5 }), value, (constants, some) => {
        const classes = new FactClasses(constants);
        const found = classes.classOf(some);
        expect(Number.isInteger(found) && found >= 0 && found < classes.size).toBe(true);
      }),
      { numRuns: 2_000, seed: 20261121 },
    );
  });

  it('are as few as the constants allow: what no comparison tells apart is one', () => {
    const classes = new FactClasses([2, 70, ['low', 'high']]);
    const of = (...values: readonly (number | string | boolean | null)[]) =>
      new Set(values.map((some) => classes.classOf(some))).size;
    expect(of(-5, 0, 1.9)).toBe(1);
    expect(of(2.1, 69)).toBe(1);
    expect(of(70.1, 1_000, Number.POSITIVE_INFINITY)).toBe(1);
    expect(of('medium', 'other')).toBe(1);
    expect(of(1, 2, 3, 70, 71, 'low', 'high', 'medium', null, true, false)).toBe(11);
  });
});

const facts = factsAndCompletion.map(({ open }) => open);

function truthsIn({ points: scored, forces, shadows, actions, thresholdFacts }: RuleSet, given: Facts) {
  const all = { ...given, ...thresholdFacts };
  return [...scored, ...forces, ...shadows, ...actions]
    .flatMap(({ condition }) => literalsOf(condition))
    .filter((literal) => !factsRead(literal).includes(RISK_SCORE))
    .map((literal) => [truthOf(literal, all), openFacts(literal, all)]);
}

describe('a truth vector', () => {
  it('is the same for two sets of facts only where each comparison of each rule set is as true, or as unknown', () => {
    let alike = 0;
    fc.assert(
      fc.property(rules, rules, facts, facts, (one, other, given, others) => {
        const sets = [compile(filesOf(one)), compile(filesOf(other))];
        const vector = new TruthVector(sets);
        const truths = (some: Facts) => sets.map((set) => truthsIn(set, some));
        for (const id of Object.keys(given)) {
          const changed = { ...given, [id]: others[id] ?? null };
          if (vector.keyOf(changed) !== vector.keyOf(given)) continue;
          if (changed[id] !== given[id]) alike += 1;
          expect(truths(changed)).toEqual(truths(given));
        }
      }),
      { numRuns: 40, seed: 20261121 },
    );
    expect(alike).toBeGreaterThan(50);
  });

  it('tells the facts of more comparisons apart than go into one code unit', () => {
    const wide = Array.from(
      { length: 60 },
      (_, n) => `{ fact: entropy.score, operator: greaterThan, value: ${n} }`,
    );
    const set = compile({
      'many.yaml': group(
        'many',
        Object.fromEntries(wide.map((comparison, n) => [`rule_${n}`, `${points(1)}, ${when(comparison)}`])),
      ),
    });
    const vector = new TruthVector([set]);
    const keys = Array.from({ length: 60 }, (_, n) =>
      vector.keyOf({ ...Object.fromEntries(vector.facts.map((id) => [id, null])), 'entropy.score': n + 0.5 }),
    );
    expect(new Set(keys).size).toBe(60);
  });

  it('says what is missing, or takes it for unknown where it is told to', () => {
    const set = compile({
      'mail.yaml': group('mail', {
        one: `${points(1)}, ${when('{ fact: domain.has_mx, operator: equal, value: false }')}`,
      }),
    });
    expect(() => new TruthVector([set]).keyOf({})).toThrow(/the fact "domain.has_mx" is missing/);
    const missing: string[] = [];
    const lenient = new TruthVector([set], (fact) => {
      missing.push(fact);
      return null;
    });
    expect(lenient.keyOf({})).toBe(lenient.keyOf({ 'domain.has_mx': null }));
    expect(missing).toEqual(['domain.has_mx']);
  });
});
