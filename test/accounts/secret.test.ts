import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecret, ENVIRONMENTS, hashSecret, isWellFormed } from '../../src/accounts/key.ts';

const BODY = 'pst_live_'.length;
/**
 * Made by another program: the checksum is CRC-32 of the preceding part, in base 32, and its first bit is set in every
 * other one.
 */
const KNOWN = [
  ['live', 'pst_live_0000000000000000000000000000000014492f9'],
  ['test', 'pst_test_0123456789abcdefghjkmnpqrstvwxyz33jhck8'],
  ['live', 'pst_live_m9s346q3d25vt4f5v37e3s3e28jt97kb0j2cjqy'],
  ['test', 'pst_test_awsh8vhtpre95b9ee0zbgj09tqm83xss2bdy7km'],
  ['live', 'pst_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0f0zckk'],
  ['test', 'pst_test_yyk596ngya1dq91k5gqapenecfseczp12fekgtd'],
] as const;
const anySecret = fc.constantFrom(...ENVIRONMENTS).map((environment) => createSecret(environment).text);

describe('a secret', () => {
  it.each(ENVIRONMENTS)('of the environment %s names it in its text and its prefix', (environment) => {
    const { text, prefix } = createSecret(environment);
    expect(text).toMatch(/^pst_(live|test)_[0-9a-hjkmnp-tv-z]{39}$/);
    expect(text.startsWith(`pst_${environment}_`) && isWellFormed(text)).toBe(true);
    expect(text.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength(`pst_${environment}_4f7q`.length);
  });

  it.each(KNOWN)('issued earlier for %s stays valid: %s', (environment, text) => {
    expect(text.startsWith(`pst_${environment}_`) && isWellFormed(text)).toBe(true);
  });

  it('carries at least 160 random bits', () => {
    const texts = Array.from({ length: 2_000 }, () => createSecret('live').text);
    expect(new Set(texts).size).toBe(texts.length);
    // Each of the 32 five-bit places takes all of its 32 values: no place is fixed or restricted.
    for (let place = BODY; place < BODY + 32; place += 1) {
      expect(new Set(texts.map((text) => text[place])).size).toBe(32);
    }
  });

  it('with any one character changed is malformed', () => {
    fc.assert(
      fc.property(
        anySecret,
        fc.nat(),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        (text, at, other) => {
          const place = at % text.length;
          fc.pre(text[place] !== other);
          expect(isWellFormed(text.slice(0, place) + other + text.slice(place + 1))).toBe(false);
        },
      ),
    );
  });

  it('with two neighbouring characters swapped is malformed', () => {
    fc.assert(
      fc.property(anySecret, fc.nat(), (text, at) => {
        const place = at % (text.length - 1);
        const [a, b] = [text[place], text[place + 1]];
        fc.pre(a !== b);
        expect(isWellFormed(`${text.slice(0, place)}${b}${a}${text.slice(place + 2)}`)).toBe(false);
      }),
    );
  });

  it('is malformed with the prefix of the other environment', () => {
    expect(isWellFormed(createSecret('test').text.replace('_test_', '_live_'))).toBe(false);
  });

  it('that is cut, padded, in upper case or followed by a line end is malformed', () => {
    const { text } = createSecret('live');
    for (const bad of ['', text.slice(0, -1), `${text}0`, ` ${text}`, `${text}\n`, text.toUpperCase()]) {
      expect(isWellFormed(bad), JSON.stringify(bad)).toBe(false);
    }
  });

  it('is never found in arbitrary text, and no text makes the check throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormed(text)));
  });

  it('is stored as its SHA-256', () => {
    // FIPS 180-4, the one-block example "abc".
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(hashSecret('abc').toString('hex')).toBe(abc);
  });
});
