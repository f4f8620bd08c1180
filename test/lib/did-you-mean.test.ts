import { describe, expect, it } from 'vitest';
import { suggest } from '../../src/lib/did-you-mean.ts';
import { meantBy } from '../../src/rules/problem.ts';

const WORDS = [
  'in',
  'notIn',
  'equal',
  'greaterThan',
  'all',
  'any',
  'not',
  'live',
  'BLOCK',
  'has_mx',
  'lots_2',
];
const SIGNS = ['!', '-', '~', '^', '<', '>', '=', '+', '>=', '! ', '# '];

describe('a word with a sign', () => {
  const signed = WORDS.flatMap((word) => [
    ...SIGNS.map((sign) => [word, `${sign}${word}`]),
    ...['+', '-', '=', '!', '?', '>'].map((sign) => [word, `${word}${sign}`]),
  ]);

  it.each(signed)('is not another spelling of %s: %s', (word, written) => {
    expect(meantBy(written, [word])[1]).toBeUndefined();
  });

  it.each([
    ['lots-2', 'lots_2'],
    ['lots+2', 'lots_2'],
    ['canonical_-24h', 'canonical_24h'],
    ['1_2', '12'],
  ])('%s is not another spelling of %s', (written, word) => {
    expect(meantBy(written, [word])[1]).toBeUndefined();
  });
});

it.each([
  ['has-mx', 'has_mx'],
  ['Has MX', 'has_mx'],
  ['hasMx', 'has_mx'],
  ['greater_than', 'greaterThan'],
  ['not in', 'notIn'],
  ['block', 'BLOCK'],
])('%s is another spelling of %s', (written, word) => {
  expect(meantBy(written, WORDS)[1]).toBe(word);
});

it.each([
  ['unequal', 'equal'],
  ['!equal', 'equal'],
  ['DISALLOW', 'ALLOW'],
  ['not BLOCK', 'BLOCK'],
  ['unfired', 'fired'],
  ['nomx', 'mx'],
  ['nall', 'all'],
])('for %s the word %s, its opposite, is not suggested', (written, word) => {
  expect(suggest(written, [word])).toBeUndefined();
});

it.each([
  ['unknwn', 'unknown'],
  ['disposble', 'disposable'],
  ['nonee', 'none'],
])('for %s the word %s is suggested', (written, word) => {
  expect(suggest(written, [word])).toBe(word);
});
