import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Literal } from '../../src/rules/definitions.ts';
import { holds, type Operator, type RightSide } from '../../src/rules/operators.ts';
import { tellingValues } from '../../src/rules/telling-values.ts';
import type { CataloguedFact } from '../../src/signals/signals.ts';
import { catalogue } from './catalogue.ts';

function factOf(id: string): CataloguedFact {
  const fact = catalogue.facts.get(id);
  if (!fact) throw new Error(`no fact ${id}`);
  return fact;
}

const NUMERIC: readonly Operator[] = [
  'equal',
  'notEqual',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
];

describe('the values that rules can distinguish', () => {
  it('are both values of a boolean that rules compare', () => {
    const literal: Literal = { fact: 'domain.has_mx', operator: 'equal', value: true };
    expect(tellingValues(factOf('domain.has_mx'), [literal], {})).toEqual([false, true]);
  });

  it('are one for each group of values that the rules treat alike', () => {
    const literals: Literal[] = [
      { fact: 'mx.outcome', operator: 'equal', value: 'nxdomain' },
      { fact: 'mx.outcome', operator: 'in', value: ['null_mx', 'no_mail_host', 'nxdomain'] },
    ];
    expect(tellingValues(factOf('mx.outcome'), literals, {})).toEqual(['mx', 'null_mx', 'nxdomain']);
  });

  it('are on both sides of a threshold', () => {
    const literal: Literal = {
      fact: 'syntax.fault_count',
      operator: 'greaterThanInclusive',
      value: { fact: 'threshold.several' },
    };
    expect(tellingValues(factOf('syntax.fault_count'), [literal], { 'threshold.several': 2 })).toEqual([
      1, 2,
    ]);
  });

  it('include all candidates of a fact that is compared with another fact', () => {
    const literal: Literal = {
      fact: 'mx.host_count',
      operator: 'lessThan',
      value: { fact: 'syntax.fault_count' },
    };
    expect(tellingValues(factOf('mx.host_count'), [literal], {})).toEqual([-2, -1, 0, 1, 2]);
  });

  it.each(['entropy.score', 'syntax.fault_count'])(
    'miss no way in which comparisons of %s can turn out',
    (id) => {
      const number =
        id === 'entropy.score'
          ? fc.integer({ min: -3, max: 60_000 }).map((n) => n / 10_000)
          : fc.integer({ min: -3, max: 6 });
      const comparisons = fc.array(fc.tuple(fc.constantFrom(...NUMERIC), number), {
        minLength: 1,
        maxLength: 5,
      });
      fc.assert(
        fc.property(comparisons, number, (compared, other) => {
          const literals = compared.map(([operator, value]): Literal => ({ fact: id, operator, value }));
          const signsOf = (value: number) =>
            literals.map(({ operator, value: right }) => holds(operator, value, right as RightSide)).join();
          const found = tellingValues(factOf(id), literals, {}).map((value) => signsOf(Number(value)));
          expect(found).toContain(signsOf(other));
          expect(new Set(found).size).toBe(found.length);
        }),
        { seed: 20261121, numRuns: 2000 },
      );
    },
  );

  it('are texts for each combination of beginnings, ends and whole texts', () => {
    const literals: Literal[] = [
      { fact: 'address.domain', operator: 'equal', value: 'example.org' },
      { fact: 'address.domain', operator: 'starts_with', value: 'mail.' },
      { fact: 'address.domain', operator: 'ends_with', value: '.org' },
    ];
    expect(tellingValues(factOf('address.domain'), literals, {})).toEqual([
      'example.org',
      'other.example',
      'other.org',
      'mail.other.example',
      'mail.other.org',
    ]);
  });

  it('miss no way in which comparisons of a text can turn out', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
      .map((letters) => letters.join(''));
    const part = text.filter((some) => some !== '');
    const comparison = fc.oneof(
      fc.tuple(fc.constantFrom<Operator>('equal', 'notEqual'), part),
      fc.tuple(fc.constantFrom<Operator>('in', 'notIn'), fc.array(part, { minLength: 1, maxLength: 3 })),
      fc.tuple(fc.constantFrom<Operator>('starts_with', 'not_starts_with'), part),
      fc.tuple(fc.constantFrom<Operator>('ends_with', 'not_ends_with'), part),
    );
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 6 }), text, (compared, other) => {
        const literals = compared.map(
          ([operator, value]): Literal => ({ fact: 'banner.text', operator, value }),
        );
        const signsOf = (value: string) =>
          literals.map(({ operator, value: right }) => holds(operator, value, right as RightSide)).join();
        const found = tellingValues(factOf('banner.text'), literals, {}).map((value) =>
          signsOf(String(value)),
        );
        expect(found).toContain(signsOf(other));
        expect(new Set(found).size).toBe(found.length);
      }),
      { seed: 20261127, numRuns: 4000 },
    );
  });
});
