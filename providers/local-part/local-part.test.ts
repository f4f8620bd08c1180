import fc from 'fast-check';
import { runContract } from 'postern/provider-kit/vitest';
import { expect, it } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';
import type { Address } from '../../src/provider-kit/index.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import localPart from './index.ts';

const { find } = await prepareCheck(localPart);

function read(text: string): Address {
  const reading = readAddress(text);
  if (!reading.ok) throw new Error(`cannot be read: ${text}`);
  return reading.address;
}

async function shapeOf(text: string) {
  const { facts } = await find(read(text));
  return ['length', 'digits', 'trailing_digits', 'separators'].map((name) => facts[`local_part.${name}`]);
}

it.each([
  ['jane.doe@example.com', [8, 0, 0, 1]],
  ['j4ne_doe-1987@example.com', [13, 5, 4, 2]],
  ['2024@example.com', [4, 4, 4, 0]],
  ['4jane@example.com', [5, 1, 0, 0]],
  ['a@example.com', [1, 0, 0, 0]],
  ['+@example.com', [1, 0, 0, 1]],
])('of %s are %j', async (text, shape) => expect(await shapeOf(text)).toEqual(shape));

it('does not count a tag', async () => {
  expect(await shapeOf('jane.doe99+a-b.c_d42@example.com')).toEqual([10, 2, 2, 1]);
  expect(await shapeOf('+jane+42@example.com')).toEqual([5, 0, 0, 1]);
  expect(await shapeOf('a.b-c@jane.fastmail.com')).toEqual(await shapeOf('jane+a.b-c@fastmail.com'));
});

it('counts a plus sign where the provider has no tags', async () =>
  expect(await shapeOf('jane+42@yahoo.com')).toEqual([7, 2, 2, 1]));

it('counts the separators that a provider ignores, but not in the length', async () => {
  expect(await shapeOf('j.a.n.e+x@gmail.com')).toEqual([4, 0, 0, 3]);
  expect(await shapeOf('ja_ne-1@proton.me')).toEqual([5, 1, 1, 2]);
});

it('counts characters, not UTF-16 units or bytes', async () => {
  expect(await shapeOf('💌dörte7@example.com')).toEqual([7, 1, 1, 0]);
});

it('counts the marks around the local part', async () => {
  expect(await shapeOf('__jane__@example.com')).toEqual([8, 0, 0, 4]);
});

it('never counts more digits or separators than there are characters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.emailAddress(), async (text) => {
      const [length = 0, digits = 0, trailing = 0, separators = 0] = (await shapeOf(text)).map(Number);
      expect(length).toBeGreaterThan(0);
      expect(digits).toBeLessThanOrEqual(length);
      expect(trailing).toBeLessThanOrEqual(digits);
      expect(separators).toBeLessThanOrEqual(read(text).localPart.length);
    }),
  );
});

runContract(localPart, {
  cases: [
    {
      email: 'jane.doe1987@example.com',
      expect: {
        'local_part.length': 12,
        'local_part.digits': 4,
        'local_part.trailing_digits': 4,
        'local_part.separators': 1,
      },
    },
  ],
});
