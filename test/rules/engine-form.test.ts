import { describe, expect, it } from 'vitest';
import { toNegationNormalForm } from '../../src/rules/conditions.ts';
import { fire } from '../../src/rules/decide.ts';
import type { Facts } from '../../src/rules/decision.ts';
import type { Condition, NormalCondition } from '../../src/rules/definitions.ts';
import { engineForm, engineSize, MOST_COMPARISONS } from '../../src/rules/engine-form.ts';
import { describeCount } from '../../src/rules/explain-decision.ts';
import { openFacts, truthOf } from '../../src/rules/kleene.ts';

const fact = (index: number) => `f.${index}`;
const partsOf = (total: number) =>
  Array.from({ length: total }, (_, index) => ({
    ...{ fact: fact(index), operator: 'equal' as const, value: true },
    place: { file: 'a', line: 1, column: 1 },
  }));
const atLeast = (count: number, total: number): Condition => ({ at_least: { count, of: partsOf(total) } });

/** Every combination in which this many facts are true, false and unknown. */
function worlds(total: number, values: readonly (boolean | null)[] = [true, false, null]): readonly Facts[] {
  let all: Facts[] = [{}];
  for (let index = 0; index < total; index++) {
    all = all.flatMap((facts) => values.map((value) => ({ ...facts, [fact(index)]: value })));
  }
  return all;
}

const countOf = (facts: Facts, wanted: boolean | null) =>
  Object.values(facts).filter((value) => value === wanted).length;

async function firesInEngine(condition: NormalCondition, facts: Facts): Promise<boolean> {
  const rule = { id: 'r', kind: 'action', action: 'BLOCK', condition, reads: Object.keys(facts) } as const;
  return (await fire([rule], facts)).size === 1;
}

describe('at_least', () => {
  it('is true, false and unknown as in Kleene logic, in every combination of four parts', () => {
    for (const count of [1, 2, 3, 4]) {
      const condition = toNegationNormalForm(atLeast(count, 4));
      for (const facts of worlds(4)) {
        const expected =
          countOf(facts, true) >= count ? true : countOf(facts, false) > 4 - count ? false : null;
        expect(truthOf(condition, facts)).toBe(expected);
        const open = Object.keys(facts).filter((id) => facts[id] === null);
        expect(openFacts(condition, facts)).toEqual(expected === null ? open : []);
      }
    }
  });

  it('under not is true when that many parts are false', () => {
    for (const count of [1, 2, 3, 4]) {
      const condition = toNegationNormalForm({ not: atLeast(count, 4) });
      expect(JSON.stringify(condition)).not.toContain('"not"');
      for (const facts of worlds(4)) {
        const truth = truthOf(toNegationNormalForm(atLeast(count, 4)), facts);
        expect(truthOf(condition, facts)).toBe(truth === null ? null : !truth);
      }
    }
  });

  it('of one part equals any, of all parts equals all', () => {
    expect(Object.keys(toNegationNormalForm(atLeast(1, 3)))).toEqual(['any']);
    expect(Object.keys(toNegationNormalForm(atLeast(3, 3)))).toEqual(['all']);
    expect(Object.keys(toNegationNormalForm({ not: atLeast(3, 3) }))).toEqual(['any']);
    expect(Object.keys(toNegationNormalForm({ not: atLeast(2, 3) }))).toEqual(['at_least']);
  });

  it('fires in json-rules-engine exactly where it is true', async () => {
    for (const [count, total] of [
      [2, 3],
      [2, 4],
      [3, 5],
    ] as const) {
      const condition = toNegationNormalForm(atLeast(count, total));
      expect(JSON.stringify(engineForm(condition))).not.toContain('at_least');
      for (const facts of worlds(total, total === 5 ? [true, false] : undefined)) {
        expect(await firesInEngine(condition, facts)).toBe(truthOf(condition, facts) === true);
      }
    }
  });

  it('is expanded for the engine into the stated number of comparisons, far fewer than its subsets', () => {
    for (let total = 2; total <= 12; total++) {
      for (let count = 1; count <= total; count++) {
        const condition = toNegationNormalForm({ any: [atLeast(count, total), { all: partsOf(2) }] });
        const written = JSON.stringify(engineForm(condition)).split('"fact"').length - 1;
        expect(engineSize(condition)).toBe(written);
        expect(engineSize(toNegationNormalForm(atLeast(count, total)))).toBeLessThanOrEqual(MOST_COMPARISONS);
      }
    }
    expect(engineSize(toNegationNormalForm(atLeast(4, 8)))).toBe(48);
    expect(engineSize(toNegationNormalForm(atLeast(6, 12)))).toBe(176);
    // Found without trying every way in which half of the parts can be true: that would take longer than a lifetime.
    expect(engineSize(toNegationNormalForm(atLeast(500, 1_000)))).toBeGreaterThan(1e12);
  });
});

describe('the explanation of at_least', () => {
  const told = (needed: number, held: string[], unknown: string[], failed: string[]) =>
    describeCount({ rule: 'r', needed, held, unknown, failed });

  it('names the parts that were true, the unknown ones, and how many more it needs', () => {
    expect(told(3, ['a', 'b'], [], ['c'])).toBe('2 of 3 held: a; b. It needs one more.');
    expect(told(3, ['a'], ['b'], ['c', 'd'])).toBe('1 of 4 held: a. Unknown: b. It needs 2 more.');
    expect(told(2, ['a', 'b'], [], ['c'])).toBe('2 of 3 held: a; b. 2 are enough.');
    expect(told(2, [], [], ['a', 'b', 'c'])).toBe('0 of 3 held. It needs 2 more.');
  });
});
