import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelsOf } from '../../providers/lists/precedence.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { listKey } from '../../src/provider-kit/index.ts';
import { canonicalEntry, readListFile } from '../../src/rules/list-entries.ts';
import { ProblemList } from '../../src/rules/problem.ts';
import { readYaml } from '../../src/rules/yaml-document.ts';

/** What lint says of a list with this one value; undefined where it is taken. */
function problemOf(value: string) {
  const problems = new ProblemList();
  const text = `- { value: ${JSON.stringify(value)}, reason: r, owner: o }\n`;
  readListFile(readYaml({ file: 'deny.yaml', text }, problems), problems);
  const [problem, ...others] = problems.sorted();
  expect(others).toEqual([]);
  return problem;
}

const DOMAINS = ['x.org', 'shop.x.org', 'x-1.co.uk', 'bücher.example'];
const siblings = (forms: readonly ((domain: string) => string)[]) =>
  forms.flatMap((form) => DOMAINS.map((domain): [string, string] => [form(domain), domain]));

describe('a value of a list', () => {
  it.each(
    siblings([
      (domain) => `*@${domain}`,
      (domain) => `?@${domain}`,
      (domain) => `%@${domain}`,
      (domain) => `@${domain}`,
      (domain) => `.*@${domain}`,
      (domain) => `.+@${domain}`,
      (domain) => `+@${domain}`,
      (domain) => `^.*@${domain.replaceAll('.', '\\.')}$`,
      (domain) => `/@${domain.replaceAll('.', '\\.')}$/`,
      (domain) => `%40${domain}`,
      (domain) => `${domain}.`,
      (domain) => `${domain}/`,
      (domain) => `${domain}:443`,
      (domain) => `http://${domain}`,
      (domain) => `https://${domain}/path?x#y`,
      (domain) => `"${domain}"`,
      (domain) => `||${domain}^`,
      (domain) => `${domain},`,
    ]),
  )('that means every mailbox of a domain is refused, and the domain named: %s', (value, domain) => {
    expect(problemOf(value)).toMatchObject({ code: 'bad_list_value', severity: 'error', hint: domain });
  });

  it.each(
    siblings([
      (domain) => `*.${domain}`,
      (domain) => `*${domain}`,
      (domain) => `%.${domain}`,
      (domain) => `*@*.${domain}`,
      (domain) => `*@.${domain}`,
      (domain) => `@*.${domain}`,
      (domain) => `@.${domain}`,
      (domain) => `%@%.${domain}`,
      (domain) => `.*\\.${domain.replaceAll('.', '\\.')}`,
      (domain) => `.${domain}.`,
    ]),
  )('that means a domain with those below it is refused, and the suffix named: %s', (value, domain) => {
    expect(problemOf(value)).toMatchObject({ code: 'bad_list_value', hint: `.${domain}` });
  });

  it.each(
    [
      '“%”',
      '‘%’',
      '«%»',
      '« % »',
      '„%“',
      '»%«',
      '‚%‘',
      '%–',
      '—%',
      '%™',
      '%®',
      '•%',
      '• %',
      '%…',
      '▪%',
      '→%',
      '%、',
      '「%」',
    ].flatMap((form) =>
      ['x.org', '.x.org', 'bücher.example', 'jane@x.org'].map((meant) => [form.replace('%', meant), meant]),
    ),
  )(
    'that bears signs of a word processor is refused, and told which and what is meant: %s',
    (value, meant) => {
      const problem = problemOf(value);
      expect(problem).toMatchObject({ code: 'bad_list_value', severity: 'error', hint: meant });
      const [, sign = 'none'] = /: (\S+) stands in no domain/.exec(problem?.message ?? '') ?? [];
      expect([...value].filter((character) => !meant.includes(character))).toContain(sign);
    },
  );

  it.each(['x–y.org', 'x.o“rg', 'ja•ne@x.org', 'o’brien@x.org', '“jane”@x.org'])(
    'that has such a sign within is refused too: %s',
    (value) => expect(problemOf(value)?.message).toMatch(/ [–“•’] stands in no domain/),
  );

  it.each([
    ['jane+*@gmail.com', 'jane@gmail.com'],
    ['jane+.*@gmail.com', 'jane@gmail.com'],
    ['^jane@x.org', 'jane@x.org'],
    ['jane@x\\.org', 'jane@x.org'],
    ['jane@x.org/', 'jane@x.org'],
    ['jane@x.org,', 'jane@x.org'],
    ["'jane@x.org'", 'jane@x.org'],
    ['mailto:jane@x.org', 'jane@x.org'],
    ['jane%40x.org', 'jane@x.org'],
  ])('that means one mailbox is refused, and the mailbox named: %s', (value, mailbox) => {
    expect(problemOf(value)).toMatchObject({ code: 'bad_list_value', hint: mailbox });
  });

  it.each([
    ...[
      'jane*@x.org',
      '*jane@x.org',
      'ja?e@x.org',
      'jane%@x.org',
      'jane|joe@x.org',
      '(a|b)@x.org',
      '[a-z]+@x.org',
    ],
    ...['/^jane.*@x\\.org$/i', 'jane(.*)@x.org', '!jane@x.org', '#jane@x.org', '~jane@x.org', '"a"*@x.org'],
    ...['jane@*', 'jane@*.org', 'jane@x.*', 'x.*', '*', '*@*', '*.*', 'J* <jane@x.org>'],
  ])('that is a pattern of another kind is refused, and told what lists have in place of it: %s', (value) => {
    const problem = problemOf(value);
    expect(problem).toMatchObject({
      code: 'bad_list_value',
      message: expect.stringContaining('no patterns: x.org'),
    });
    expect(problem?.hint).toBeUndefined();
  });

  it.each([
    'a@b@c',
    '@@x.org',
    'x.org y.org',
    'x.org, y.org',
    '@',
    '.',
    'localhost',
    '!x.org',
    'jane at x.org',
  ])('that is nothing is refused, and nothing is guessed: %s', (value) => {
    expect(problemOf(value)).toMatchObject({ code: 'bad_list_value' });
    expect(problemOf(value)?.hint).toBeUndefined();
  });

  it.each([
    ...[
      '"*"@x.org',
      '"a*b"@x.org',
      "o'brien@x.org",
      'a&b@x.org',
      'a/b@x.org',
      'a=b@x.org',
      '_@x.org',
      '-@x.org',
    ],
    ...[
      'Jane+spam@gmail.com',
      'Jane <jane@x.org>',
      'jane@[192.0.2.1]',
      'X.org',
      '.org',
      '.X.org',
      'bücher.example',
    ],
    ...[
      'l·l.cat',
      'ナカ・グロ.jp',
      'jane@x。org',
      'ｘ－１．a.org',
      'i❤.ws',
      '☕.example',
      'نامه‌ای.com',
      '"“a”"@x.org',
      'xn--x-0hn.org',
    ],
  ])('that is one of the three forms is taken: %s', (value) => {
    expect(problemOf(value)).toBeUndefined();
  });

  it('is mended by lint only where the same is meant', () => {
    for (const value of ['*@x.org', 'x.org.', ' *@x.org ']) {
      expect(problemOf(value)?.replacement).toBe('x.org');
    }
    // `.x.org` is the domain itself too, of a URL perhaps the page alone was meant, and of `@x.org` the name may be lost.
    for (const value of ['@x.org', '*.x.org', '*@*.x.org', 'https://x.org/page', '%@x.org', '.*@x.org']) {
      expect(problemOf(value)?.replacement).toBeUndefined();
    }
  });

  it('fits an address that can be read, where it is taken; what is meant is taken', () => {
    const part = fc.constantFrom(
      'jane',
      'a*b',
      '"',
      '*',
      '?',
      '%',
      '.',
      '+',
      '@',
      'x.org',
      'gmail.com',
      '/',
      '\\',
      '^',
      '$',
      '|',
      '(',
      ')',
      '!',
      ' ',
      '<',
      '>',
      'bücher',
      'http://',
    );
    const value = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(value, (text) => {
        const problem = problemOf(text);
        if (problem?.hint !== undefined) expect(problemOf(problem.hint)).toBeUndefined();
        if (problem !== undefined) return;
        const entry = canonicalEntry(text);
        const reading = readAddress(entry.includes('@') ? entry : `jane@${entry.trim().replace(/^\./, '')}`);
        expect(reading.ok && levelsOf(reading.address).flat()).toContain(listKey(entry));
      }),
      { numRuns: 2_000 },
    );
  });
});

it.each([
  'x.org#y',
  'x.org/y',
  'x.org:80',
  'x.org?y',
  'x.org\\y',
  'x%2eorg',
  '.x.org/y',
  'ü.org#y',
  'jane@x.org/y',
])('what is no domain is compared as it stands: %s', (value) => {
  expect(listKey(value)).toBe(value);
});
