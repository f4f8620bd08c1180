import { describe, expect, it, test } from 'vitest';
import lists from '../../providers/lists/index.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { entryKey } from '../../src/rules/list-entries.ts';
import { prepareCheck } from '../support/check-with.ts';

/** Every default-ignorable character, assigned or not. */
const IGNORABLE = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffc\u{1d159}]/u.test(character));

const codeOf = (character: string) => `U+${character.codePointAt(0)?.toString(16)}`;

/** The characters for which `isWrong` holds, by code: one message instead of four thousand. */
const wrong = (isWrong: (hidden: string) => boolean) => IGNORABLE.filter(isWrong).map(codeOf);

function read(typed: string) {
  const reading = readAddress(typed);
  if (!reading.ok) throw new Error(`${JSON.stringify(typed)}: ${reading.refusal.code}`);
  return reading.address;
}

const HIDDEN_FAULTS = ['invisible_character', 'bidi_control'];

describe('an ignorable character', () => {
  it('is one of four thousand, including the soft hyphen, fillers and tags', () => {
    expect(IGNORABLE.length).toBeGreaterThan(4_000);
    expect(IGNORABLE).toEqual(
      expect.arrayContaining(['\u00ad', '\u034f', '\u200b', '\u3164', '\ufe0f', '\u{e0061}']),
    );
  });

  it.each([
    ['within', (c: string) => `ja${c}ne+news@firm.de`],
    ['first', (c: string) => `${c}jane+news@firm.de`],
    ['last', (c: string) => `jane${c}+news@firm.de`],
    ['in the tag', (c: string) => `jane+ne${c}ws${c}@firm.de`],
    ['between dot and at', (c: string) => `jane+news${c}@firm.de`],
    ['in quotes', (c: string) => `"ja${c}ne+news"@firm.de`],
    ['escaped in quotes', (c: string) => `"ja\\${c}ne+news"@firm.de`],
    ['beside a space', (c: string) => `${c} jane+news ${c} @firm.de`],
    ['several times', (c: string) => `${c}${c}j${c}a\u200bn\u00ad${c}e+news@firm.de`],
  ])('makes no other mailbox, and is a fault: %s', (_where, write) => {
    expect(
      wrong((hidden) => {
        const { canonical, subaddress, faults, localPart } = read(write(hidden));
        const isSame =
          canonical.address === 'jane@firm.de' && subaddress === 'news' && localPart === 'jane+news';
        return !isSame || !faults.some(({ code }) => HIDDEN_FAULTS.includes(code));
      }),
    ).toEqual([]);
  });

  it('does not separate an accent from its letter', () => {
    expect(
      wrong((hidden) => read(`jose${hidden}\u0301@firm.de`).canonical.localPart !== 'jos\u00e9'),
    ).toEqual([]);
  });

  it('does not hide a misplaced dot', () => {
    expect(read('\u200b.jane.\u00ad@firm.de').faults.map(({ code }) => code)).toEqual([
      'invisible_character',
      'misplaced_dot',
      'misplaced_dot',
      'invisible_character',
    ]);
  });

  it.each(['', '"', ' '])('is not a local part by itself (%j around it)', (around) => {
    expect(
      wrong((hidden) => {
        const reading = readAddress(`${around}${hidden}${hidden}${around}@firm.de`);
        return reading.ok || reading.refusal.code !== 'empty_local_part';
      }),
    ).toEqual([]);
  });

  it.each([
    ['within', (c: string) => `jane@fi${c}rm.de`],
    ['first', (c: string) => `jane@${c}firm.de`],
    ['before a dot', (c: string) => `jane@firm${c}.de`],
    ['last', (c: string) => `jane@firm.de${c}`],
    ['around the address', (c: string) => `${c}jane@firm.de${c}`],
    ['around angle brackets', (c: string) => `${c}<jane@firm.de>${c}`],
    ['after angle brackets', (c: string) => `Jane <jane@firm.de>${c} ${c}`],
    ['within angle brackets', (c: string) => `<${c}jane@firm.de${c}>`],
    ['beside spaces and remarks', (c: string) => `jane@${c} firm.de ${c}(work)${c}`],
  ])('makes no other domain, and is a fault: %s', (_where, write) => {
    expect(
      wrong((hidden) => {
        const { canonical, faults } = read(write(hidden));
        return canonical.address !== 'jane@firm.de' || faults.length === 0;
      }),
    ).toEqual([]);
  });

  it('is allowed after the brackets of an IP address, too', () => {
    expect(wrong((hidden) => read(`jane@${hidden}[192.0.2.1]${hidden}`).domain !== '[192.0.2.1]')).toEqual(
      [],
    );
  });

  it('is not a domain by itself', () => {
    expect(
      wrong((hidden) => {
        const reading = readAddress(`jane@${hidden}${hidden}`);
        return reading.ok || reading.refusal.code !== 'empty_domain';
      }),
    ).toEqual([]);
  });

  it.each([
    ['jane@firm.de', (c: string) => [`jane@firm.de${c}`, `${c}jane@firm.de${c}`, `ja${c}ne@fi${c}rm.de`]],
    ['firm.de', (c: string) => [`firm.de${c}`, `${c}firm.de`, `fi${c}rm.de`]],
    ['.firm.de', (c: string) => [`.firm.de${c}`, `${c}.firm.de`, `.${c}firm.de`]],
  ])('has no effect in an entry %s of a list', (seen, write) => {
    const joiners = ['\u200c', '\u200d'];
    expect(
      wrong((hidden) => {
        if (joiners.includes(hidden) && !seen.includes('@')) return false;
        return write(hidden).some((entry) => entryKey(entry) !== seen);
      }),
    ).toEqual([]);
  });

  it('is kept in a domain whose script needs it', () => {
    expect(read('jane@نامه\u200cای.ir')).toMatchObject({ domain: 'xn--mgba3gch31f060k.ir', faults: [] });
  });

  it('does not hide a denied address', async () => {
    const deny = [{ value: 'jane@firm.de', reason: 'r', owner: 'o' }];
    const { find } = await prepareCheck(lists, { lists: { deny } });
    for (const typed of [
      'ja\u00adne@firm.de',
      'jane\u200b+x@firm.de',
      '\ufeffjane@fi\u2060rm.de',
      '"j\u034fane"@firm.de',
      '\u202ajane@firm.de\u202c',
      'jane@firm.de\u200e',
      '\u200b<jane@firm.de>\u200b',
    ]) {
      expect([typed, (await find(read(typed))).facts['lists.denied']]).toEqual([typed, true]);
    }
  });
});

test('a name that is written with a joiner is equal to the name without it, and unclean', () => {
  expect(read('نامه\u200cای@x.ir').canonical.address).toBe(read('نامهای@x.ir').canonical.address);
});
