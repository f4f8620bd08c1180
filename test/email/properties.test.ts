import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/email/read-address.ts';

/** Pieces of valid addresses, and pieces that break them. */
const piece = fc.oneof(
  fc.constantFrom(
    '@',
    '.',
    '..',
    '+',
    '-',
    '_',
    '"',
    '\\',
    '(',
    ')',
    '<',
    '>',
    '[',
    ']',
    ' ',
    ',',
    '\t',
    '\r\n',
    '++',
    'gmail.com',
    'googlemail.com',
    'user.fastmail.com',
    'proton.me',
    'yandex.com',
    'yahoo.co.uk',
    'x.org',
    'mary',
    'Ann',
    'İ',
    'Σ',
    'ß',
    '\u0301',
    '\u037e',
    '\u1fef',
    '\u212a',
    '\ufb2c',
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u3002',
    '\uff0e',
    '\uff20',
    '\u2488',
    '\u3000',
    '\ud800',
    '\udc00',
    '\ufeff',
    '\u0085',
    '🙂',
    '\u1100',
    '\u1161',
    'xn--',
    'xn--bcher-kva',
    '[192.0.2.1]',
    '[IPv6:::1]',
    '\u05d0',
    '\u0660',
    '1',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const pieces = (maxLength: number) => fc.array(piece, { maxLength }).map((parts) => parts.join(''));
const addressLike = fc
  .tuple(pieces(6), fc.constantFrom('@', '@', ' @ ', ''), pieces(4))
  .map(([before, at, after]) => before + at + after);
const atProvider = fc
  .tuple(
    pieces(7),
    fc.constantFrom('gmail.com', 'proton.me', 'yandex.ru', 'a.fastmail.com', 'yahoo.com', 'x.org'),
  )
  .map(([local, domain]) => `${local}@${domain}`);
/** Quotes make nearly any local part valid, so that all of Unicode reaches the normalizer. */
const quoted = fc
  .tuple(pieces(7), fc.constantFrom('gmail.com', 'proton.me', 'yandex.ru', 'yahoo.com', 'x.org'))
  .map(([local, domain]) => `"${local.replaceAll(/["\\]/g, '\\$&')}"@${domain}`);
const international = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), piece), {
    minLength: 1,
    maxLength: 4,
  })
  .map((labels) => `mary@${labels.join('.')}`);
const anything = fc.oneof(
  addressLike,
  atProvider,
  quoted,
  international,
  fc.string({ unit: 'binary', maxLength: 60 }),
  // UTF-16 units, including lone surrogates.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
);

const always = (check: (typed: string) => void) => fc.assert(fc.property(anything, check), { numRuns: 4000 });

describe('for any string at all', () => {
  test('the result is an address or a refusal, and every position is inside the string', () => {
    always((typed) => {
      const reading = readAddress(typed);
      const faults = reading.ok ? reading.address.faults : [reading.refusal];
      for (const { position } of faults) {
        expect(Number.isInteger(position)).toBe(true);
        expect(position).toBeGreaterThanOrEqual(0);
        expect(position).toBeLessThanOrEqual([...typed].length);
      }
    });
  });

  test('the canonical form can be parsed and is its own canonical form', () => {
    always((typed) => {
      const reading = readAddress(typed);
      if (!reading.ok) return;
      const again = readAddress(reading.address.canonical.address);
      if (!again.ok)
        throw new Error(`${JSON.stringify(reading.address.canonical.address)}: ${again.refusal.code}`);
      expect(again.address.canonical).toEqual({ ...reading.address.canonical, changes: [] });
      expect(again.address.hasDotsRemoved).toBe(false);
      expect(again.address.subaddress).toBeNull();
    });
  });

  test('no local part is empty, and the domain is lower-case ASCII', () => {
    always((typed) => {
      const reading = readAddress(typed);
      if (!reading.ok) return;
      const { localPart, domain, canonical } = reading.address;
      expect(localPart).not.toBe('');
      expect(canonical.localPart.replace(/^"(.*)"$/s, '$1')).not.toBe('');
      expect(domain).toMatch(/^[a-z0-9._:[\]-]+$/);
      expect(canonical.domain).toMatch(/^[a-z0-9._:[\]-]+$/);
      expect(canonical.address).toBe(`${canonical.localPart}@${canonical.domain}`);
      expect(canonical.localPart).toBe(canonical.localPart.normalize('NFC'));
    });
  });

  test('surrounding white space changes only positions', () => {
    fc.assert(
      fc.property(addressLike, fc.constantFrom(' ', '\r\n', '\u3000\t', '\u0085'), (typed, space) => {
        const [bare, padded] = [readAddress(typed), readAddress(`${space}${typed}${space}`)];
        expect(padded.ok).toBe(bare.ok);
        if (padded.ok && bare.ok) expect(padded.address.canonical).toEqual(bare.address.canonical);
        else if (!padded.ok && !bare.ok) expect(padded.refusal.code).toBe(bare.refusal.code);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('adversarial text is answered', () => {
  test.each([
    ['a hundred thousand open comments', '('.repeat(100_000)],
    ['a hundred thousand nested comments', `${'('.repeat(50_000)}${')'.repeat(50_000)}a@x.org`],
    ['five hundred nested comments', `${'('.repeat(500)}${')'.repeat(500)}a@x.org`],
    ['a thousand backslashes in quotes', `"${'\\'.repeat(1_000)}@x.org`],
    ['a thousand angles', `${'<'.repeat(1_000)}a@x.org`],
    ['a thousand dots', `a@${'.'.repeat(1_000)}`],
    ['a million spaces', `${' '.repeat(1_000_000)}a@x.org`],
    ['a million ats', '@'.repeat(1_000_000)],
    ['an international domain as long as can be', `a@${'д'.repeat(500)}`],
    ['joiners as many as can be', `a@${'\u0915\u200c'.repeat(160)}.in`],
    ['a thousand marks', `a@x${'\u0301'.repeat(500)}`],
  ])('%s', (_what, typed) => {
    expect(() => readAddress(typed)).not.toThrow();
  });
});

test('only three characters become ASCII by NFC, and the parser handles them', () => {
  const found: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (character.normalize('NFC').charCodeAt(0) < 0x80) found.push(code.toString(16));
  }
  // U+037E is a semicolon and refused; a grave accent and the letter K are allowed in a local part.
  expect(found).toEqual(['37e', '1fef', '212a']);
});
