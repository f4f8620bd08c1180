import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelsOf } from '../../providers/lists/precedence.ts';
import { readAddress } from '../../src/email/read-address.ts';
import { listKey } from '../../src/provider-kit/index.ts';
import { canonicalEntry, readListFile } from '../../src/rules/list-entries.ts';
import { formatForLog, formatProblem, ProblemList } from '../../src/rules/problem.ts';
import { readYaml } from '../../src/rules/yaml-document.ts';

/** The message of lint for a list with this one value; undefined where it is accepted. */
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
  )('that means every mailbox of a domain is refused, and the domain is suggested: %s', (value, domain) => {
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
  )(
    'that means a domain with its subdomains is refused, and the suffix is suggested: %s',
    (value, domain) => {
      expect(problemOf(value)).toMatchObject({ code: 'bad_list_value', hint: `.${domain}` });
    },
  );

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
    'that has characters of a word processor is refused, with the character and the intended value: %s',
    (value, meant) => {
      const problem = problemOf(value);
      expect(problem).toMatchObject({ code: 'bad_list_value', severity: 'error', hint: meant });
      const [, sign = 'none'] = /: (\S+) stands in no domain/.exec(problem?.message ?? '') ?? [];
      expect([...value].filter((character) => !meant.includes(character))).toContain(sign);
    },
  );

  it.each(['x–y.org', 'x.o“rg', 'ja•ne@x.org', 'o’brien@x.org', '“jane”@x.org'])(
    'that has such a character inside is refused too: %s',
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
  ])('that means one mailbox is refused, and the mailbox is suggested: %s', (value, mailbox) => {
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
  ])('that is another kind of pattern is refused, with the form to use instead: %s', (value) => {
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
  ])('that has no meaning is refused without a suggestion: %s', (value) => {
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
  ])('that has one of the three forms is accepted: %s', (value) => {
    expect(problemOf(value)).toBeUndefined();
  });

  it('is corrected by lint only where the meaning stays the same', () => {
    for (const value of ['*@x.org', 'x.org.', ' *@x.org ']) {
      expect(problemOf(value)?.replacement).toBe('x.org');
    }
    // `.x.org` includes the domain itself, a URL may mean only the page, and `@x.org` may lack its name.
    for (const value of ['@x.org', '*.x.org', '*@*.x.org', 'https://x.org/page', '%@x.org', '.*@x.org']) {
      expect(problemOf(value)?.replacement).toBeUndefined();
    }
  });

  it('that is accepted matches an address that can be parsed; a suggestion is accepted', () => {
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
])('a value that is not a domain is compared unchanged: %s', (value) => {
  expect(listKey(value)).toBe(value);
});

describe('the log of a list that is refused', () => {
  const problemsOf = (text: string) => {
    const problems = new ProblemList();
    readListFile(readYaml({ file: 'rules/deny.yaml', text }, problems), problems);
    return problems.sorted();
  };

  it.each([
    '- { value: jane.doe@x y.org, reason: r, owner: o }',
    '- { value: jane.doe(at)x.org, reason: r, owner: o }',
    '- { value: \'"jane \\"jd\\" doe"@x y.org\', reason: r, owner: o }',
    '- jane.doe@x.org: spam',
  ])('names the place, quotes nothing, and says what shows it: %s', (text) => {
    const problems = problemsOf(text);
    expect(problems.map(formatProblem).join('\n')).toContain('jane');
    for (const told of problems.map(formatForLog))
      expect(told).toMatch(/^rules\/deny\.yaml:1:\d+ error \w+ "postern rules lint" says what is wrong$/);
  });

  it('quotes nothing of a named list either', () => {
    const message = '"jane.doe@x.org" is none of x.org and .x.org';
    const place = { file: '/srv/rules/lists/partner.txt', line: 2, column: 1 };
    const problem = { ...place, code: 'bad_list_value', severity: 'error', message } as const;
    expect(formatForLog(problem)).not.toContain('jane');
    expect(formatForLog({ ...problem, file: 'rules/a.yaml' })).toContain('jane');
  });

  it('explains what is no YAML, which quotes no value', () => {
    const [problem] = problemsOf('- { value: jane.doe@x.org, reason: [ }');
    expect(problem?.code).toBe('yaml_syntax');
    expect(problem && formatForLog(problem)).toBe(problem && formatProblem(problem));
  });
});
