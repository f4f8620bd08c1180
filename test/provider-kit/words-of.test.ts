import { expect, it } from 'vitest';
import { requireAddress } from '../../src/checks/assessor.ts';
import { wordsOf } from '../../src/provider-kit/index.ts';

it.each([
  ['mary.ann', 'mary.ann'],
  ["o'brien_x-1", "o'brien_x-1"],
  ['"mary..ann"', 'mary.ann'],
  ['".mary"', 'mary'],
  ['"mary."', 'mary'],
  ['"mary ann"', 'mary.ann'],
  ['"mary@ann, (b)"', 'mary.ann.b'],
  ['"say \\"ann\\" \\\\"', 'say.ann'],
  ['"jürgen..м"', 'jürgen.м'],
  ['"..."', '"..."'],
  ['" "', '" "'],
])('of %s are %s', (localPart, words) => {
  expect(wordsOf(requireAddress(`${localPart}@example.org`))).toBe(words);
});

it.each([
  ['"mary..ann smith"@gmail.com', 'maryannsmith'],
  ['"mary..ann-smith"@yandex.ru', 'mary-ann-smith'],
  ['.mary.@yandex.ru', 'mary'],
  ['mary.+news@example.org', 'mary'],
  ['"..."@gmail.com', '"..."'],
  ['mary..ann_smith@proton.me', 'maryannsmith'],
  ['"mary ann+tag"@outlook.com', 'mary.ann'],
])('of %s are %s, as the provider folds them', (email, words) => {
  expect(wordsOf(requireAddress(email))).toBe(words);
});
