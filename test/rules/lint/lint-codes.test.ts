import { describe, expect, it } from 'vitest';
import { applyFixes, lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { formatProblem, PROBLEM_SEVERITIES } from '../../../src/rules/problem.ts';
import { catalogue } from '../catalogue.ts';
import { group, is, NOW, points, reachingDirectory, when } from '../rules-directory.ts';
import { CARE_CASES } from './care-cases.ts';
import { CONDITIONS_CASES } from './conditions-cases.ts';
import { FILES_CASES } from './files-cases.ts';
import { condition, DISPOSABLE, type LintCase, quiet, test, unmark } from './lint-case.ts';
import { MEANING_CASES } from './meaning-cases.ts';
import { NAMED_CONDITIONS_CASES } from './named-conditions-cases.ts';
import { DIFFERENT, OVERLAP_CASES } from './overlap-cases.ts';
import { REACH_CASES } from './reach-cases.ts';
import { UNKNOWN_CASES } from './unknown-cases.ts';

const CASES: readonly LintCase[] = [
  ...FILES_CASES,
  ...CONDITIONS_CASES,
  ...NAMED_CONDITIONS_CASES,
  ...MEANING_CASES,
  ...OVERLAP_CASES,
  ...REACH_CASES,
  ...UNKNOWN_CASES,
  ...CARE_CASES,
];

const tests = (fired: string) => test(`\n  name: x\n  facts: {}\n  expect:\n      fired: ${fired}`);
const NO_MX = when(is('domain.has_mx', false));
const lint = (files: LintCase['files']) => lintRules(reachingDirectory(files), catalogue, { now: NOW });

/** The group and rules of a case, renamed, beside those of the other cases. */
function renamed(files: LintCase['files'], index: number): LintCase['files'] {
  const { texts } = unmark(files);
  return texts['a.yaml'] === undefined ? {} : { [`c${index}.yaml`]: texts['a.yaml'] };
}

describe('lint', () => {
  it.each(CASES)('reports $code, once and at its place: $mistake', ({ code, files, hint, fix }) => {
    const { place, texts } = unmark(files);
    const { problems, definitions } = lint(texts);
    expect(problems.map((found) => found.code)).toEqual([code]);
    const [found] = problems;
    // For a missing file there is no text to mark.
    expect(`${found?.file}:${found?.line}:${found?.column}`).toBe(place ?? 'rules/decision.yaml:1:1');
    expect(found?.hint).toBe(hint);
    expect(found?.replacement).toBe(fix);
    expect(found?.severity).toBe(PROBLEM_SEVERITIES[code]);
    expect(definitions === undefined).toBe(PROBLEM_SEVERITIES[code] === 'error');
  });

  it.each([
    ['7', ': put it in quotes'],
    ['[ann, bob]', ', not a list'],
    ['{ team: risk }', ', not a mapping'],
  ])('asks for quotes around a number alone, not around a list or a mapping: owner: %s', (owner, remedy) => {
    const text = group('a', { r: `${quiet}, ${NO_MX}` }).replace('owner: risk', `owner: ${owner}`);
    const messages = lint({ 'a.yaml': text }).problems.map(({ message }) => message);
    expect(messages).toContain(`"owner" must be text${remedy}`);
  });

  it.each(CASES.filter(({ fix }) => fix))('offers a fix for $code: $mistake', ({ code, files }) => {
    const { texts } = unmark(files);
    const sources = reachingDirectory(texts);
    const { sources: mended, fixed } = applyFixes(sources, catalogue, { now: NOW });
    const { problems } = lintRules(mended, catalogue, { now: NOW });
    // `@x.org` in quotes can be parsed, and still is not a domain.
    const isReadOn = code === 'yaml_syntax';
    if (!isReadOn) expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(problems.map((problem) => problem.code)).not.toContain(code);
    expect(fixed.map((problem) => problem.code)).toEqual([code]);
  });

  it.each(CASES)(
    'reports only the errors, with the same texts, for a caller that wants no warnings: $mistake',
    ({ files }) => {
      const sources = reachingDirectory(unmark(files).texts);
      const whole = lintRules(sources, catalogue, { now: NOW });
      const { problems, definitions } = lintRules(sources, catalogue, { now: NOW, onlyErrors: true });
      expect(problems).toEqual(whole.problems.filter(({ severity }) => severity === 'error'));
      expect(definitions).toEqual(whole.definitions);
    },
  );

  it.each([
    [
      'what stands around its condition',
      `mode: liv, expires: soon, event: { type: points, params: { points: -5 } }, absorbs: [nobody], ${NO_MX}`,
      ['absorbs_unknown_rule', 'bad_date', 'negative_points_unknown', 'unknown_value'],
    ],
    [
      'an operator and the value behind it',
      `${quiet}, conditions: { all: [{ fact: domain.has_mx, operator: equals, value: "no" }] }`,
      ['unknown_operator', 'value_misfit'],
    ],
    [
      'its rollout and its condition',
      `${quiet}, rollout: { percent: 101 }, conditions: { all: [{ fact: domain.has_mx, operator: equals, value: true }] }`,
      ['out_of_range', 'unknown_operator'],
    ],
  ])('reports all faults of a rule at once, and no other: %s', (_, text, codes) => {
    const { problems } = lint({ 'a.yaml': group('a', { r: text }) });
    expect(problems.map(({ code }) => code).sort()).toEqual(codes);
  });

  it('suggests no name for a fact that a test cannot state', () => {
    const { problems } = lint({ 'tests/a.yaml': '- { name: x, facts: { risk_score: 3 }, expect: {} }\n' });
    const found = problems.find(({ code }) => code === 'unknown_fact');
    expect(found).toBeDefined();
    expect(found?.hint).toBeUndefined();
  });

  it('lists the operators where none is similar', () => {
    const text = `${quiet}, conditions: { all: [{ fact: mx.outcome, operator: xyz, value: mx }] }`;
    expect(lint({ 'a.yaml': group('a', { r: text }) }).problems[0]?.message).toMatch(
      /^there is no operator "xyz": there are equal, notEqual, /,
    );
  });

  const wordsOf = (value: string) =>
    condition(`{ all: [{ fact: mx.provider, operator: in, value: ${value} }] }`);
  const factsOf = (facts: string) => test(`\n  name: x\n  expect: { action: ALLOW }\n  facts: ${facts}`);
  it.each<[string, LintCase['files'], RegExp]>([
    ['[google microsoft]', wordsOf('[google microsoft]'), /: a comma is missing between them$/],
    ['[google; microsoft]', wordsOf('[google; microsoft]'), /: a comma is missing between them$/],
    ['-level_high', tests('\n        -level_high'), /: a blank is missing after the dash$/],
    ['-level_high twice', tests('\n        -level_high\n        -x'), /: a blank is missing after the dash$/],
    ['[level_high level_high]', tests('[level_high level_high]'), /: a comma is missing between them$/],
    ['{threshold.x}', wordsOf('{threshold.x}'), /: a threshold is written { fact: threshold\.x }$/],
    ['{ domain.has_mx:true }', factsOf('{ domain.has_mx:true }'), /: a blank is missing after the colon$/],
    ['{ domain.has_mx = true }', factsOf('{ domain.has_mx = true }'), /: a key takes a colon and a blank/],
    ['domain.has_mx:true', factsOf('\n    domain.has_mx:true'), /: a blank is missing after the colon$/],
    ['domain.has_mx = true', factsOf('\n    domain.has_mx = true'), /: a key takes a colon and a blank/],
    [
      'a fact without a value',
      factsOf('\n    domain.has_mx:'),
      /^no value stands here: domain\.has_mx is true or false, or null where it is unknown$/,
    ],
    [
      'a fact without a value, which is never unknown',
      factsOf('\n    syntax.fault_count:'),
      /^no value stands here: syntax\.fault_count is a whole number; it is never unknown$/,
    ],
    [
      '[x.org, y.org]',
      { 'deny.yaml': '- { value: [x.org, y.org], reason: R., owner: o }\n' },
      /: give each an entry of its own$/,
    ],
    [
      'expires: “2099-01-01”',
      { 'deny.yaml': '- { value: x.org, reason: R., owner: o, expires: “2099-01-01” }\n' },
      /: the quotes are part of this text/,
    ],
    [
      'rollout: 5',
      { 'a.yaml': group('a', { r: `${points(10)}, rollout: 5, ${NO_MX}` }) },
      /^a rollout must be a mapping, \{ percent, salt \}$/,
    ],
    [
      'percent: "10"',
      { 'a.yaml': group('a', { r: `${points(10)}, rollout: { percent: "10" }, ${NO_MX}` }) },
      /: 10, without quotes or a sign$/,
    ],
    [
      'salt: ""',
      { 'a.yaml': group('a', { r: `${points(10)}, rollout: { percent: 10, salt: "" }, ${NO_MX}` }) },
      /^"salt" must be text, not blank$/,
    ],
    [
      'a key that is like none of the known ones',
      test('{ name: x, address: x@x.org, facts: {}, expect: { action: ALLOW } }'),
      /^a test has no key "address": there are name, email, /,
    ],
    [
      'a threshold of signals.yaml that is no list',
      { 'signals.yaml': 'entropy: { steps: 3 }' },
      /^entropy\.steps must be a list$/,
    ],
    [
      'a threshold of signals.yaml that is too small',
      { 'signals.yaml': 'entropy: { minimum_length: 0 }' },
      /^entropy\.minimum_length must be at least 1$/,
    ],
    [
      'a pattern in a named list, which has no mailboxes',
      { 'lists/own.txt': '*.x.org\n' },
      /\.x\.org for those below it too$/,
    ],
    [
      'the line ends of an old Macintosh',
      { 'a.yaml': 'thresholds:\r  busy: { value: 3, description: Busy. }\r' },
      /: save the file with the line ends of Unix or Windows$/,
    ],
    ['UTF-16', { 'deny.yaml': ['', ...'- a\n- b\n'].join('\0') }, /: save the file as UTF-8$/],
    ['UTF-16 of a list', { 'lists/own.txt': ['a', ...'.example'].join('\0') }, /: save the file as UTF-8$/],
    [
      'a number that is none',
      condition('{ all: [{ fact: mx.host_count, operator: equal, value: .nan }] }'),
      /, not with NaN$/,
    ],
  ])('names the text to use in place of %s', (_, files, message) => {
    expect(lint(files).problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    '        fact: domain.has_mx\n        operator: equal\n        value: true\n        - fact: mx.provider\n          operator: equal\n          value: google',
    '          fact: domain.has_mx\n          operator: equal\n        - fact: mx.provider\n          operator: equal',
    '        { fact: domain.has_mx, operator: equal, value: true }\n        - fact: mx.provider\n          operator: equal',
    '        one: fact: mx.provider\n          operator: equal',
  ])('offers no fix where an item lacks its dash, because that would break the file further: %j', (all) => {
    const text = group('a', { r: `${quiet}, ${DISPOSABLE}` });
    const files = { 'a.yaml': `${text}  - id: s\n    conditions:\n      all:\n${all}\n` };
    const { sources, fixed } = applyFixes(reachingDirectory(files), catalogue, { now: NOW });
    expect(fixed).toEqual([]);
    expect(sources.files['a.yaml']).toBe(files['a.yaml']);
    expect(lint(files).problems.map(({ code }) => code)).toEqual(['yaml_syntax']);
  });

  it.each(['owner: risk mode: off', 'owner: @risk mode: off'])(
    'offers no fix where two keys stand in one line, since the second would be lost in quotes: %s',
    (line) => {
      const rule = `  - id: r\n    description: R.\n    ${line}\n    ${NO_MX}\n    event: { type: force, params: { action: BLOCK } }\n`;
      const files = { 'decision.yaml': `forced:\n${rule}levels: []\nactions: []\n` };
      const { sources, fixed } = applyFixes(reachingDirectory(files), catalogue, { now: NOW });
      expect(fixed).toEqual([]);
      expect(sources.files['decision.yaml']).toBe(files['decision.yaml']);
      expect(lint(files).problems.map(({ code }) => code)).toContain('yaml_syntax');
    },
  );

  it('mends each of many entries of a list, and leaves out the one fix that would break something', () => {
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const about = (count: number) => `${quiet}, ${when(is('syntax.fault_count', count))}`;
    const rules = (free: string) => group('a', { a_b: about(1), 'A-B': about(2), [free]: about(3) });
    const files = {
      'a.yaml': rules('C-D').replaceAll('mode: off', 'mode: Off'),
      'lists/many.txt': numbers.map((number) => `x${number}.example. # ${number}\n`).join(''),
    };
    const { sources, fixed } = applyFixes(reachingDirectory(files), catalogue, { now: NOW });
    expect(sources.files['a.yaml']).toBe(rules('c_d'));
    expect(sources.files['lists/many.txt']).toBe(
      numbers.map((number) => `x${number}.example # ${number}\n`).join(''),
    );
    expect(fixed).toHaveLength(54);
  });

  it('reports the same in any order of the files', () => {
    const files = Object.assign({}, ...CASES.slice(0, 40).map(({ files }, index) => renamed(files, index)));
    const { dir, files: texts, ignored = [] } = reachingDirectory(files);
    const backwards = {
      dir,
      files: Object.fromEntries(Object.entries(texts).toReversed()),
      ignored: ignored.toReversed(),
    };
    const { problems } = lintRules(backwards, catalogue, { now: NOW });
    expect(problems.length).toBeGreaterThan(40);
    expect(problems).toEqual(lint(files).problems);
  });

  it.each(['نامه‌ای از ما', 'A ❤️ of 👩‍💻', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '"see #12"', 'C#', '日本語'])(
    'accepts text with joiners and selectors that its script needs, or that is in quotes: %s',
    (text) => {
      expect(lint({ 'a.yaml': group('a', {}).replace('A group.', text) }).problems).toEqual([]);
    },
  );

  it.each(DIFFERENT)('accepts %s', (_, files) => {
    expect(lint(files).problems).toEqual([]);
  });

  it('has a case for each code', () => {
    const found = new Set<string>(CASES.map(({ code }) => code));
    expect([...found].sort()).toEqual(Object.keys(PROBLEM_SEVERITIES).sort());
  });

  it('reports eight faults with eight messages, in the order of the file', () => {
    const text = `group: mixed
description: Eight mistakes.
max_score: 200
rules:
  - id: Bad-Id
    descripton: Misspelt.
    owner: risk
    mode: live
    conditions:
      all:
        - { fact: domain.has_mxx, operator: equal, value: true }
        - { fact: domain.is_catch_all, operator: eqal, value: true }
        - { fact: mx.outcome, operator: equal, value: 12 }
        - any: []
    event: { type: points, params: { points: "many" } }
    absorbs: [nothing]
`;
    const { problems } = lint({ 'a.yaml': text });
    expect(problems.map(formatProblem)).toEqual([
      'rules/a.yaml:3:12 error out_of_range "max_score" must be a whole number from 0 to 100, not 200',
      'rules/a.yaml:5:9 error bad_id "Bad-Id" may hold only a-z, 0-9 and _ (did you mean "bad_id"?)',
      'rules/a.yaml:6:5 error unknown_key a rule has no key "descripton" (did you mean "description"?)',
      'rules/a.yaml:11:19 error unknown_fact no provider answers a fact "domain.has_mxx" (did you mean "domain.has_mx"?)',
      'rules/a.yaml:12:50 error unknown_operator there is no operator "eqal" (did you mean "equal"?)',
      'rules/a.yaml:13:55 error value_misfit mx.outcome is one of mx, unresolvable_mx, implicit_mx, private_mx, null_mx, no_mail_host, nxdomain, not_a_name, not 12',
      'rules/a.yaml:14:16 error empty_condition an empty "any" would always be true',
      'rules/a.yaml:15:46 error wrong_shape "points" must be a whole number, not "many"',
    ]);
  });
});

it.each([
  ['mode: live\u200b', 'mode: live', '"live\u200b"; its U+200B looks like a blank, or like nothing'],
  ['mode: liv\u0435', 'mode: live', '"liv\u0435"; its letter \u0435 is U+0435, no Latin one'],
  ['points: \u22125', 'points: 5', '"\u22125"; its sign \u2212 is U+2212, not the plain -'],
  ['expires: 20270630', 'expires: 2027-06-30', '20270630'],
  [
    'expires: 2027\u201306\u201330',
    'expires: 2027-06-30',
    '"2027\u201306\u201330"; its sign \u2013 is U+2013, not the plain -',
  ],
  ['value: 2\u00a0,', 'value: 2,', '"2\u00a0"; its U+00A0 looks like a blank, or like nothing'],
  ['type: p\u043eints', 'type: points', '"p\u043eints"; its letter \u043e is U+043E, no Latin one'],
])(
  'lint shows the value that is at fault, and names the sign that looks right: %j',
  (written, meant, shown) => {
    const text = `group: a
description: A.
max_score: 10
thresholds:
  some: { value: 2, description: T. }
rules:
  - id: x
    description: R.
    owner: o
    mode: live
    expires: 2027-06-30
    conditions: { all: [{ fact: syntax.fault_count, operator: greaterThan, value: { fact: threshold.some } }] }
    event: { type: points, params: { points: 5 } }
`;
    const [problem] = lint({ 'a.yaml': text.replace(meant, written) }).problems;
    expect(problem?.message.endsWith(`, not ${shown}`)).toBe(true);
  },
);

it('lint reports letters of another script that look like Latin ones', () => {
  const text = `group: a
description: A.
max_score: 10
rules:
  - id: ab\u0441
    description: R.
    own\uff45r: o
    mode: live
    conditions: { all: [{ fact: dom\u0430in.has_mx, operator: equal, value: true }] }
    event: { type: points, params: { points: 5 } }
`;
  expect(lint({ 'a.yaml': text }).problems.map(formatProblem)).toEqual([
    'rules/a.yaml:5:9 error bad_id "ab\u0441" may hold only a-z, 0-9 and _; its letter \u0441 is U+0441, no Latin one (did you mean "ab_"?)',
    expect.stringContaining('its letter \uff45 is U+FF45, no Latin one (did you mean "owner"?)'),
    'rules/a.yaml:9:33 error unknown_fact no provider answers a fact "dom\u0430in.has_mx"; its letter \u0430 is U+0430, no Latin one (did you mean "domain.has_mx"?)',
  ]);
});

describe('lint of one broken file', () => {
  const rule =
    'group: a\ndescription: A.\nmax_score: 10\nthresholds: { busy: { value: 3, description: B. } }\nrules:\n  - { id: r, description: R., owner: o, mode: live, event: { type: points, params: { points: 5 } }, conditions: { all: [{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }] } }\n';
  const tests =
    '- { name: x, facts: {}, expect: { not_fired: [r] } }\n- { name: y, facts: { mx.host_count: 9 }, expect: { fired: [r] } }\n';

  it('reports nothing about rules that only the broken file declares', () => {
    const { problems } = lint({ 'a.yaml': `${rule}  - [`, 'tests/a.yaml': tests });
    expect(problems.map(({ code, file }) => [code, file])).toEqual([['yaml_syntax', 'rules/a.yaml']]);
  });

  it('reports nothing about thresholds that only the broken file declares', () => {
    const files = {
      'a.yaml': rule.replace(/thresholds.*\n/, ''),
      'b.yaml': 'thresholds: [',
      'tests/a.yaml': tests,
    };
    const { problems } = lint(files);
    expect(problems.map(({ code, file }) => [code, file])).toEqual([['yaml_syntax', 'rules/b.yaml']]);
  });

  it('reports nothing about rules that only a missing decision.yaml could declare', () => {
    const tests = '- { name: x, facts: {}, expect: { not_fired: [level_high] } }\n';
    const files = { 'decision.yaml': undefined, 'tests/decision.yaml': tests };
    expect(lint(files).problems.map(({ code }) => code)).toEqual(['missing_file']);
  });

  it('does not report missing tests that a broken file of tests may contain', () => {
    const { problems } = lint({ 'a.yaml': rule, 'tests/a.yaml': `${tests}- [` });
    expect(problems.map(({ code, file }) => [code, file])).toEqual([['yaml_syntax', 'rules/tests/a.yaml']]);
  });

  it('accepts the same files unbroken, without a warning', () => {
    expect(lint({ 'a.yaml': rule, 'tests/a.yaml': tests }).problems).toEqual([]);
  });
});
