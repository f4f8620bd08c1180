import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FactClasses } from '../../src/rules/fact-classes.ts';
import { holds, OPERATOR_NAMES, type RightSide } from '../../src/rules/operators.ts';

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
