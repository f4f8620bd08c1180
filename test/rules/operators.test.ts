import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFacts } from '../../src/rules/described-facts.ts';
import { compileNamedList } from '../../src/rules/named-list.ts';
import { fitsType, holds, OPERATOR_NAMES, OPERATORS } from '../../src/rules/operators.ts';
import { catalogue } from './catalogue.ts';

const sides = fc.oneof(
  fc.tuple(fc.boolean(), fc.boolean()),
  fc.tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 1, 2)),
  fc.tuple(fc.constantFrom('a', 'b', 'ab'), fc.constantFrom('a', 'b', 'ab')),
);

describe('an operator', () => {
  it.each(OPERATOR_NAMES)('%s is true exactly where its opposite is false, for known values', (name) => {
    const { opposite } = OPERATORS[name];
    expect(OPERATORS[opposite].opposite).toBe(name);
    fc.assert(
      fc.property(sides, ([left, right]) => {
        const fitting = { number: 'integer', string: 'domain', boolean: 'boolean' } as const;
        if (!fitsType(name, fitting[typeof left as keyof typeof fitting])) return;
        const texts = [String(right)];
        const isList = name === 'in_list' || name === 'not_in_list';
        const operand = isList ? compileNamedList('some', texts) : /^(in|notIn)$/.test(name) ? texts : right;
        expect(holds(name, left, operand)).toBe(!holds(opposite, left, operand));
      }),
    );
  });

  it('for text compares its ends, letter by letter', () => {
    expect(holds('starts_with', 'mail.example.org', 'mail.')).toBe(true);
    expect(holds('starts_with', 'mail.example.org', 'Mail.')).toBe(false);
    expect(holds('ends_with', 'notexample.org', 'example.org')).toBe(true);
    expect(holds('ends_with', 'notexample.org', '.example.org')).toBe(false);
  });

  it.each(OPERATOR_NAMES)('%s is false when either side is unknown', (name) => {
    for (const value of [true, 1, 'a', null]) {
      expect(holds(name, null, value)).toBe(false);
      expect(holds(name, value, null)).toBe(false);
    }
  });

  it('never converts: text is not a number, and not a list', () => {
    expect(holds('lessThan', '1', 2)).toBe(false);
    expect(holds('greaterThan', '12abc', 2)).toBe(false);
    expect(holds('in', 'a', 'abc')).toBe(false);
    expect(holds('equal', 1, '1')).toBe(false);
    expect(holds('starts_with', 12, '1')).toBe(false);
    expect(holds('ends_with', true, 'e')).toBe(false);
    expect(holds('in_list', 'some', 'some')).toBe(false);
  });
});

describe('rules facts', () => {
  it('lists every fact by id with its allowed operators', () => {
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
