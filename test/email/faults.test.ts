import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type RefusalCode, UNCLEAN, UNPARSEABLE, type UncleanCode } from '../../src/email/faults.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const long = (count: number) => 'a'.repeat(count);
/** A domain of the given length, of labels that are short enough. */
const domainOf = (length: number) =>
  `${`${long(49)}.`
    .repeat(6)
    .slice(0, length - 3)
    .replace(/\.$/, 'a')}.io`;

const FAULTS = { ...UNPARSEABLE, ...UNCLEAN };

/** The input, the code of its fault, and the position in code points. */
const ROWS: readonly (readonly [string, RefusalCode | UncleanCode, number])[] = [
  ['', 'empty', 0],
  [' \t\r\n\u0085\u00a0\u3000', 'empty', 0],
  [`${long(1020)}@x.io`, 'too_long', 0],
  [`  ${'я'.repeat(600)}@x.io`, 'too_long', 2],
  // In NFC this is twice as long, so that its canonical form could not be parsed again.
  [`${'\ufb2c'.repeat(300)}@x.io`, 'too_long', 0],
  ['mary\t@x.io', 'control_character', 4],
  ['ma\r\n ry@x.io', 'control_character', 2],
  ['"a\u0000"@x.io', 'control_character', 2],
  ['mary@x.\u007fio', 'control_character', 7],
  ['ma\u009cry@x.io', 'control_character', 2],
  ['🙂ma\ud800ry@x.io', 'lone_surrogate', 3],
  ['\udc00@x.io', 'lone_surrogate', 0],
  ['mary', 'no_at', 4],
  ['mary.x.io', 'no_at', 9],
  [' 🙂 ', 'no_at', 2],
  ['"mary@x.io"', 'no_at', 11],
  ['mary\uff20x.io', 'lookalike_at', 4],
  [' mary\ufe6bx.io', 'lookalike_at', 5],
  ['mary@@x.io', 'second_at', 5],
  ['mary@jones@x.io', 'second_at', 10],
  ['mary@x.io, jones@x.io', 'second_at', 16],
  ['mary@x.io jones@x.io', 'second_at', 15],
  ['mary@x.io <jones@x.io>', 'second_at', 16],
  ['Mary <mary@x.io', 'unclosed_angle', 5],
  ['<mary@x.io', 'unclosed_angle', 0],
  ['Mary <mary@x.io> !', 'text_after_angle', 17],
  ['<mary@x.io><jones@x.io>', 'text_after_angle', 11],
  ['mary@x.io <work>', 'text_after_angle', 10],
  ['@x.io', 'empty_local_part', 0],
  [' (mary) @x.io', 'empty_local_part', 8],
  ['""@x.io', 'empty_local_part', 2],
  ['Mary <@x.io>', 'empty_local_part', 6],
  ['mary,@x.io', 'local_character', 4],
  ['mary\\@x.io', 'local_character', 4],
  ['ma[r]y@x.io', 'local_character', 2],
  ['ma\u3000ry@x.io', 'local_character', 2],
  ['ma\u037ery@x.io', 'local_character', 2],
  ['mary jones@x.io', 'broken_local_part', 5],
  ['mary(ann)jones@x.io', 'broken_local_part', 9],
  ['mary"jones"@x.io', 'misplaced_quote', 4],
  ['"mary"jones@x.io', 'misplaced_quote', 6],
  ['"mary""jones"@x.io', 'misplaced_quote', 6],
  ['"mary@x.io', 'unclosed_quote', 0],
  ['"mary\\"@x.io', 'unclosed_quote', 0],
  ['"mary@\\', 'unclosed_quote', 0],
  ['(mary@x.io', 'unclosed_comment', 0],
  ['mary@x.io(a(b)', 'unclosed_comment', 9],
  ['mary@(x.io', 'unclosed_comment', 5],
  ['mary@', 'empty_domain', 5],
  ['mary@ ', 'empty_domain', 5],
  ['mary@(x)', 'empty_domain', 5],
  ['mary@\u00ad', 'empty_domain', 5],
  ['mary@x,io', 'domain_character', 6],
  ['mary@x.io/', 'domain_character', 9],
  ['mary@x\u037e.io', 'domain_character', 6],
  ['mary@x\u2488.io', 'domain_character', 6],
  ['mary@[192.0.2.1]x', 'domain_character', 16],
  ['mary@my mail.io', 'broken_domain', 8],
  ['mary@x.io(home)x', 'broken_domain', 15],
  ['mary@x..io', 'empty_label', 7],
  ['mary@.x.io', 'empty_label', 5],
  ['mary@.', 'empty_label', 5],
  ['mary@x\uff0e\uff0eio', 'empty_label', 7],
  ['mary@\u0301x.io', 'idn_label', 5],
  ['mary@x.xn--ü.io', 'idn_label', 7],
  [`mary@x.${long(64)}.io`, 'label_too_long', 7],
  [`mary@${'ü'.repeat(60)}${'я'.repeat(10)}.io`, 'label_too_long', 5],
  [`mary@${domainOf(254)}`, 'domain_too_long', 5],
  ['mary@[192.0.2.1', 'unclosed_literal', 5],
  ['mary@[192.0.2.999]', 'literal_address', 6],
  ['mary@[2001:db8::1]', 'literal_address', 6],
  ['mary@[IPv6:fe80::1%eth0]', 'literal_address', 6],
  ['mary@[x.io]', 'literal_address', 6],

  ['Mary Ann <mary@x.io>', 'display_name', 0],
  [' <mary@x.io>', 'display_name', 1],
  ['"Ann @ <home>" <mary@x.io>', 'display_name', 0],
  ['Doe, Mary (at home) <mary@x.io> (hi)', 'display_name', 0],
  ['(home)mary@x.io', 'comment', 0],
  ['mary@x.io(a(b\\)c))', 'comment', 9],
  ['mary @x.io', 'white_space', 4],
  ['mary . ann@x.io', 'white_space', 4],
  ['mary@x . io', 'white_space', 6],
  ['.mary@x.io', 'misplaced_dot', 0],
  ['mary.@x.io', 'misplaced_dot', 4],
  ['mary..ann@x.io', 'misplaced_dot', 5],
  ['mary@x.io.', 'misplaced_dot', 9],
  ['mary@x.io\u3002', 'misplaced_dot', 9],
  ['"mary ann"@x.io', 'quoted_local_part', 0],
  ['mary."ann"@x.io', 'quoted_local_part', 5],
  ['ma\u202ery@x.io', 'bidi_control', 2],
  ['mary@\u202ex.io', 'bidi_control', 5],
  ['<mary@x.io>\u200e', 'bidi_control', 11],
  ['<mary@x.io>\u200b', 'invisible_character', 11],
  ['ma\u200bry@x.io', 'invisible_character', 2],
  ['ma\u3164ry@x.io', 'invisible_character', 2],
  ['"ma\u2003ry"@x.io', 'invisible_character', 3],
  ['\ufeffmary@x.io', 'invisible_character', 0],
  ['mary@x\u200b.io', 'invisible_character', 6],
  ['ma\ue000ry@x.io', 'unassigned_character', 2],
  ['ma\ufdefry@x.io', 'unassigned_character', 2],
  ['\u0301mary@x.io', 'leading_mark', 0],
  ['"\u0301mary"@x.io', 'leading_mark', 1],
  [`${long(65)}@x.io`, 'local_part_too_long', 0],
  [`  ${'я'.repeat(33)}@x.io`, 'local_part_too_long', 2],
  [`"${long(63)}"@x.io`, 'local_part_too_long', 0],
  [`${'\ufb2c'.repeat(11)}@x.io`, 'local_part_too_long', 0],
  [`mary@${domainOf(250)}`, 'address_too_long', 0],
  [`Mary <mary@${domainOf(250)}>`, 'address_too_long', 6],
  ['mary@localhost', 'dotless_domain', 5],
  ['mary@io.', 'dotless_domain', 5],
  ['mary@x.123', 'numeric_tld', 7],
  ['mary@192.0.2.1', 'numeric_tld', 13],
  ['mary@[192.0.2.1]', 'domain_literal', 5],
  ['mary@[IPv6:2001:db8::1]', 'domain_literal', 5],
  ['mary@-x.io', 'misplaced_hyphen', 5],
  ['mary@x.mail-.io', 'misplaced_hyphen', 11],
  ['mary@x.io-', 'misplaced_hyphen', 9],
  ['mary@x.\uff0dio', 'misplaced_hyphen', 7],
  ['mary@xy--z.io', 'reserved_hyphens', 5],
  ['mary@my_mail.io', 'underscore', 7],
  ['mary@x.xn--0.io', 'invalid_a_label', 7],
  ['mary@i❤x.io', 'not_idna2008', 5],
  ['mary@xn--n3h.io', 'not_idna2008', 5],
  ['mary@x\u200dy.io', 'not_idna2008', 5],
  // An exception, two blocks, and a letter of old Hangul that RFC 5892 disallows (2.6, 2.4, 2.9).
  ['mary@م\u0640م.io', 'not_idna2008', 5],
  ['mary@x\u20d0.io', 'not_idna2008', 5],
  ['mary@x\u{1d165}.io', 'not_idna2008', 5],
  ['mary@\u1113.io', 'not_idna2008', 5],
  ['mary@1.\u05d0\u05d1.io', 'bidi_domain', 5],
];

describe('each fault is found at its position', () => {
  test.each(ROWS)('%j: %s at %i', (typed, code, position) => {
    const reading = readAddress(typed);
    const expected = { code, position, message: FAULTS[code] };
    if (code in UNPARSEABLE) {
      expect(reading).toEqual({ ok: false, refusal: expected });
    } else {
      expect(reading.ok && reading.address.faults).toContainEqual(expected);
    }
  });

  test('every code of the list has an example', () => {
    const covered = new Set(ROWS.map(([, code]) => code));
    expect([...covered].sort()).toEqual(Object.keys(FAULTS).sort());
  });
});

test.each([
  ['mary...ann@x.io', [5]],
  ['mary.....@x.io', [5]],
  ['...mary@x.io', [0]],
  ['..mary..ann..@x.io', [0, 7, 12]],
  ['mary. (x) ..@x.io', [10]],
])('a row of dots is one fault: %s', (typed, positions) => {
  const reading = readAddress(typed);
  const dots = reading.ok ? reading.address.faults.filter(({ code }) => code === 'misplaced_dot') : [];
  expect(dots.map(({ position }) => position)).toEqual(positions);
});

test('several faults are listed in the order of the text, each once', () => {
  const reading = readAddress('Mary < .mary. (x) @ -x_y.localhost >');
  expect(reading.ok && reading.address.faults.map(({ code, position }) => [code, position])).toEqual([
    ['display_name', 0],
    ['white_space', 6],
    ['misplaced_dot', 7],
    ['misplaced_dot', 12],
    ['white_space', 13],
    ['comment', 14],
    ['white_space', 17],
    ['white_space', 19],
    ['misplaced_hyphen', 20],
    ['underscore', 22],
    ['white_space', 34],
  ]);
});

test('every message is one sentence that a signup form could show', () => {
  for (const message of Object.values(FAULTS)) expect(message).toMatch(/^[A-Z].{10,}[.?]$/);
});

const doc = readFileSync(join(packageRoot, 'docs', 'addresses.md'), 'utf8');

describe('docs/addresses.md', () => {
  test.each(['unparseable', 'unclean'])(
    'has the %s faults of the code, all and no others, in order',
    (grade) => {
      const heading = `### ${grade[0]?.toUpperCase()}${grade.slice(1)}\n`;
      const section = doc.split(heading)[1]?.split(/\n##/)[0] ?? '';
      const documented = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map((row) => [row[1], row[2]]);
      expect(documented).toEqual(Object.entries(grade === 'unclean' ? UNCLEAN : UNPARSEABLE));
    },
  );

  test('links only to pages that the table names', () => {
    const table: { providers: { source: string }[] } = parse(
      readFileSync(join(packageRoot, 'tables', 'mailbox-providers.yaml'), 'utf8'),
    );
    const sources = table.providers.map(({ source }) => source);
    const links = [...doc.matchAll(/<(https:[^>]+)>/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(sources).toContain(link);
  });
});
