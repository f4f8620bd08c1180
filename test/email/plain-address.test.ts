import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchPlainAddress } from '../../src/email/plain-address.ts';
import { readAddress, readByGrammar } from '../../src/email/read-address.ts';

const characters = (of: string, maxLength: number) =>
  fc.array(fc.constantFrom(...of), { minLength: 1, maxLength }).map((parts) => parts.join(''));
const atom = characters("abcXYZ019!#$%&'*+-/=?^_`{|}~", 12);
const label = characters('abcdefgXYZ019-', 6);
const domain = fc.oneof(
  fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), characters('comnetORG', 6))
    .map(([labels, top]) => [...labels, top].join('.')),
  fc.constantFrom('gmail.com', 'GoogleMail.com', 'proton.me', 'a.fastmail.com', 'yahoo.fr', 'yandex.com'),
  fc.constantFrom(
    'xn--bcher-kva.de',
    'a--b.de',
    'ab--c.de',
    '-a.de',
    'a-.de',
    'a_b.de',
    'x.1',
    'x',
    'x.org.',
  ),
);
/** Nearly plain: most are matched, and the others fall just beside it. */
const nearlyPlain = fc
  .tuple(
    fc.array(atom, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('.', '.', '.', '-', '+', '..', ' ', '"', 'é'),
    domain,
  )
  .map(([atoms, joint, at]) => `${atoms.join(joint)}@${at}`);

describe('a plain address', () => {
  test('reads as it does by the grammar, and so does what is nearly plain', () => {
    let matched = 0;
    fc.assert(
      fc.property(nearlyPlain, (typed) => {
        if (matchPlainAddress(typed) !== null) matched += 1;
        expect(readAddress(typed)).toEqual(readByGrammar(typed));
      }),
      { numRuns: 4000 },
    );
    // Else the property would say nothing.
    expect(matched).toBeGreaterThan(1000);
  });

  test.each([
    'jane.doe@gmail.com',
    'Jane+news@Sub-1.Example.ORG',
    "!#$%&'*+-/=?^_`{|}~@x.org",
    `${'a'.repeat(58)}@x.org`,
  ])('is what people type: %s', (typed) => {
    expect(matchPlainAddress(typed)).not.toBeNull();
    expect(readAddress(typed)).toEqual(readByGrammar(typed));
  });

  test.each([
    ['longer than any part may be', `${'a'.repeat(59)}@x.org`],
    ['with white space around it', ' a@x.org'],
    ['with a line break at its end', 'a@x.org\n'],
    ['with two ats', 'a@b@x.org'],
    ['at an encoded name', 'a@xn--bcher-kva.de'],
    ['at a domain without a dot', 'a@localhost'],
    ['at a number', 'a@192.0.2.1'],
    ['with a letter that becomes ASCII in lower case', 'a@\u212a.org'],
    ['with a dot out of place', '.a@x.org'],
  ])('is none that is %s', (_what, typed) => {
    expect(matchPlainAddress(typed)).toBeNull();
  });

  test('is told from text made to hurt before anybody notices', () => {
    for (const typed of [
      `${'a'.repeat(62)}@`,
      `a@${'a-'.repeat(31)}`,
      `a@${'a.'.repeat(31)}`,
      'a.'.repeat(32),
    ]) {
      expect(matchPlainAddress(typed)).toBeNull();
    }
    expect(matchPlainAddress('a'.repeat(10_000_000))).toBeNull();
  });
});
