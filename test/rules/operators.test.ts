import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFacts } from '../../src/rules/described-facts.ts';
import { holds, OPERATOR_NAMES, OPERATORS } from '../../src/rules/operators.ts';
import { catalogue } from './catalogue.ts';

const sides = fc.oneof(
  fc.tuple(fc.boolean(), fc.boolean()),
  fc.tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 1, 2)),
  fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b')),
);

describe('an operator', () => {
  it.each(OPERATOR_NAMES)('%s holds exactly where its opposite does not, for what is known', (name) => {
    const { opposite, types } = OPERATORS[name];
    expect(OPERATORS[opposite].opposite).toBe(name);
    fc.assert(
      fc.property(sides, ([left, right]) => {
        const type = typeof left === 'number' ? 'integer' : typeof left;
        if (!types.some((fitting) => fitting === type)) return;
        const operand = name === 'in' || name === 'notIn' ? [String(right)] : right;
        expect(holds(name, left, operand)).toBe(!holds(opposite, left, operand));
      }),
    );
  });

  it.each(OPERATOR_NAMES)('%s does not hold when either side is unknown', (name) => {
    for (const value of [true, 1, 'a', null]) {
      expect(holds(name, null, value)).toBe(false);
      expect(holds(name, value, null)).toBe(false);
    }
  });

  it('never coerces: text is no number, and no list', () => {
    expect(holds('lessThan', '1', 2)).toBe(false);
    expect(holds('greaterThan', '12abc', 2)).toBe(false);
    expect(holds('in', 'a', 'abc')).toBe(false);
    expect(holds('equal', 1, '1')).toBe(false);
  });
});

describe('rules facts', () => {
  it('lists every fact by id with what a rule may do with it', () => {
    const facts = describeFacts(catalogue);
    expect(facts.map(({ id }) => id)).toEqual([...catalogue.facts.keys()].sort());
    expect(facts.find(({ id }) => id === 'mx.provider')).toEqual({
      id: 'mx.provider',
      type: 'string',
      values: ['other', 'google', 'microsoft'],
      operators: ['equal', 'notEqual', 'in', 'notIn'],
      description: 'What mx.provider says.',
      example: 'other',
      provider: 'mx',
      never_unknown: false,
      personal: false,
      disabled: false,
      slot: null,
    });
  });
});
