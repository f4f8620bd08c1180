import { describe, expect, it } from 'vitest';
import { describeUnknownLabel, LabelWords } from '../../src/labels/label.ts';

describe('the words for labels', () => {
  it('include good and bad, in any case', () => {
    const words = new LabelWords();
    expect([' Good ', 'BAD', 'good'].map((text) => words.read(text))).toEqual(['good', 'bad', 'good']);
  });

  it.each([['fraud'], ['ok'], ['spam'], ['1'], [true], [{}]])('do not guess the meaning of %j', (value) => {
    expect(new LabelWords().read(value)).toBeUndefined();
  });

  it('map empty values to no label', () => {
    expect(['', '  ', null, undefined].map((value) => new LabelWords().read(value))).toEqual(
      Array(4).fill(null),
    );
  });

  it('include the given words', () => {
    const words = new LabelWords({ good: ['0', 'Kept'], bad: ['1', 'charge back', 'true'] });
    expect([0, 'kept', 1, 'Charge Back', true, 'bad'].map((value) => words.read(value))).toEqual([
      'good',
      'good',
      'bad',
      'bad',
      'bad',
      'bad',
    ]);
  });

  it.each([
    [{ good: ['x'], bad: ['X'] }, '"X" cannot mean good and bad'],
    [{ good: ['bad'] }, '"bad" cannot mean bad and good'],
  ])('cannot mean both: %j', (given, message) => {
    expect(() => new LabelWords(given)).toThrow(message);
  });

  it('that are unknown are reported with a remedy', () => {
    expect(describeUnknownLabel('charge back')).toBe(
      '"charge back" is neither good nor bad: --good "charge back" or --bad "charge back" says which it means',
    );
    expect(describeUnknownLabel([])).toBe('the label is no word: it is good or bad');
  });

  it('that may contain personal data are not quoted', () => {
    expect(describeUnknownLabel('Jane <jane@example.com>')).toBe(
      'an address stands where the label should: it is good or bad',
    );
    expect(describeUnknownLabel('x'.repeat(41))).toBe('a text of 41 characters is neither good nor bad');
    expect(describeUnknownLabel('x'.repeat(40))).toContain(`"${'x'.repeat(40)}" is neither`);
  });
});
