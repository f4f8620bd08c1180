import { DECISION, group, is, points, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, type LintCase, quiet, rule, test } from './lint-case.ts';

const threshold = (text: string) => ({
  'a.yaml': `thresholds:\n  busy: ${text}\n${group('a', {
    s: `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }')}`,
  })}`,
});

/** What a person reads and YAML does not. */
const ODD_TEXTS = [
  'see «#12 and more',
  'see\t«#team',
  '«“Abuse”',
  '«„Abuse“',
  '«Abuse"',
  ...['#Übung', '#日本', '#-5', '#(5)', '#"x"', '#@x', '#_', '# 12', '#', '## 5'].map((cut) => `see «${cut}`),
  // No-break and thin spaces, what has no width, fillers, a selector and a tag that follow nothing, a control character.
  ...[
    '\u00a0',
    '\u2009',
    '\u200b',
    '\u00ad',
    '\u0085',
    '\u2028',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
    '\u0007',
  ].map((blank) => `ab«${blank}use`),
];

/** Text for people in each kind of file, block and flow. */
const PROSE: readonly { where: string; files: (text: string) => LintCase['files'] }[] = [
  {
    where: 'the description of a group',
    files: (text) => ({ 'a.yaml': group('a', {}).replace('A group.', text) }),
  },
  {
    where: 'the reason of an entry',
    files: (text) => ({ 'deny.yaml': `- value: x.org\n  reason: ${text}\n  owner: o\n` }),
  },
  {
    where: 'an owner within braces',
    files: (text) => ({ 'allow.yaml': `- { value: x.org, reason: R., owner: ${text}\n  }\n` }),
  },
  {
    where: 'the description of a threshold',
    files: (text) => threshold(`\n    value: 3\n    description: ${text}`),
  },
  {
    where: 'the name of a test',
    files: (text) => ({ 'tests/a.yaml': `- name: ${text}\n  facts: {}\n  expect: { action: ALLOW }\n` }),
  },
];

export const FILES_CASES: readonly LintCase[] = [
  {
    code: 'missing_file',
    mistake: 'no decision.yaml',
    files: { 'decision.yaml': undefined, 'tests/decision.yaml': undefined },
  },
  { code: 'ignored_file', mistake: 'the other ending', files: { 'extra.yml': '«group: extra' } },
  {
    code: 'yaml_syntax',
    mistake: 'the line ends of an old Macintosh, all behind a comment',
    files: { 'deny.yaml': '# Head.«\r- value: x.org\r  reason: Y.\r  owner: z\r' },
  },
  ...['# A «\0 comment.\n', '# A comment.\n- value: "x«\0.org"\n'].map(
    (text): LintCase => ({
      code: 'yaml_syntax',
      mistake: `a NUL in ${JSON.stringify(text)}`,
      files: { 'deny.yaml': text },
    }),
  ),
  {
    code: 'bad_list_value',
    mistake: 'a list in UTF-16, without a byte order mark',
    files: {
      'lists/own.txt': ['# x«\0', ...'a.example\nb.example\n'].join('\0'),
      'a.yaml': group('a', {
        r: `${quiet}, ${when('{ fact: address.domain, operator: in_list, value: own }')}`,
      }),
    },
  },
  ...['\u0007', '\u001b', '\u007f'].map(
    (sign): LintCase => ({
      code: 'not_as_written',
      mistake: `the control character ${JSON.stringify(sign)} in a comment`,
      files: { 'deny.yaml': `- { value: x.org, reason: Y., owner: z } # A «${sign} comment.\n` },
    }),
  ),
  { code: 'yaml_syntax', mistake: 'a bracket left open', files: { 'a.yaml': 'group: «[a\nrules: x\n' } },
  ...Object.entries({
    'a brace left open': '  - «{ id: a\n  - { id: b }\n',
    'a brace too many': '  - { id: a }«}\n  - { id: b }\n',
    'two brackets left open': '  - «[\n  - [\n',
    'a quote left open': '  - id: «"a\n    owner: b\n',
    'a missing comma': '  - { id: «a owner: b }\n',
    'a tab': '«\t- id: a\n\t- id: b\n',
    'a second tab': '  - id: a\n«\t  owner: b\n\t  mode: c\n',
    'a line indented too far': '  - id: «a\n      owner: b\n      mode: c\n',
    'an item without its dash': '  - id: a\n   «owner: b\n   mode: c\n',
    'no blank after the dash': '  «-id: a\n   owner: b\n',
    'no colon': '  - id: a\n    «owner\n    mode: c\n',
    'no blank after the colon': '  - id: a\n    «owner:b\n    mode: c\n',
    'an escape that is none': '  - id: "a«\\q"\n',
  }).map(
    ([mistake, text]): LintCase => ({
      code: 'yaml_syntax',
      mistake: `${mistake}, whatever the parser makes of the rest`,
      files: { 'a.yaml': `group: a\nrules:\n${text}` },
    }),
  ),
  {
    code: 'yaml_syntax',
    mistake: 'a colon in bare text',
    files: { 'a.yaml': group('a', {}).replace('A group.', '«Note: a group') },
    fix: '"Note: a group"',
  },
  {
    code: 'yaml_syntax',
    mistake: 'text that begins with @',
    files: { 'deny.yaml': '- value: «@x.org\n  reason: R.\n  owner: o\n' },
    fix: '"@x.org"',
  },
  {
    code: 'yaml_syntax',
    mistake: 'a comma in bare text within braces',
    files: threshold('{ value: 3, description: Busy, «very. }'),
  },
  {
    code: 'yaml_syntax',
    mistake: 'no-break spaces in front of a key',
    files: { 'a.yaml': `${group('a', {})}«\u00a0\u00a0thresholds: {}\n` },
  },
  {
    code: 'yaml_syntax',
    mistake: 'a comma in a number within braces',
    files: threshold('{ value: 1,«000, description: Busy. }'),
  },
  {
    code: 'yaml_syntax',
    mistake: 'no blank after a colon within braces',
    files: threshold('{ «value:3, description: Busy. }'),
  },
  ...['{ value: «010, description: Busy. }', '\n    value: «010\n    description: Busy.'].map(
    (text): LintCase => ({
      code: 'not_as_written',
      mistake: `a number with a 0 in front, which other YAML reads by eights, in ${JSON.stringify(text)}`,
      files: threshold(text),
      hint: '10',
    }),
  ),
  ...['0x1F', '0o37'].map(
    (written): LintCase => ({
      code: 'not_as_written',
      mistake: `a number in the notation of programmers, ${written}`,
      files: threshold(`{ value: «${written}, description: Busy. }`),
      hint: '31',
    }),
  ),
  {
    code: 'wrong_shape',
    mistake: 'a number with its digits in groups',
    files: threshold('{ value: «1_000, description: Busy. }'),
    fix: '1000',
  },
  ...PROSE.flatMap(({ where, files }) =>
    ODD_TEXTS.map((text): LintCase => {
      const mistake = `${JSON.stringify(text)} as ${where}`;
      return { code: 'not_as_written', mistake, files: files(text) };
    }),
  ),
  {
    code: 'not_as_written',
    mistake: 'a list that is nothing but a comment',
    files: rule(`${quiet}, ${DISPOSABLE}, absorbs: «#[x]\n  `),
  },
  {
    code: 'wrong_shape',
    mistake: 'a text that is nothing but a comment',
    files: { 'a.yaml': group('a', {}).replace('A group.', '«#12 has it') },
  },
  {
    code: 'yaml_alias',
    mistake: 'a merge key',
    files: { 'a.yaml': `${group('a', {})}«<<: { x: 1 }\n` },
  },
  {
    code: 'yaml_alias',
    mistake: 'text that begins with &',
    files: { 'deny.yaml': '- { value: x.org, reason: «&co is all of it, owner: o }' },
  },
  {
    code: 'yaml_alias',
    mistake: 'a bare star',
    files: { 'deny.yaml': '- { value: «*.x.org, reason: R., owner: o }' },
  },
  {
    code: 'yaml_alias',
    mistake: 'an anchor',
    files: { 'a.yaml': group('a', {}).replace('A group', '«&x A group') },
  },
  {
    code: 'yaml_alias',
    mistake: 'a tag below a comment of many signs that tags begin with',
    files: {
      'a.yaml': `# ${'!'.repeat(60)} by hand\n${group('a', {}).replace('A group', '«!spam A group')}`,
    },
  },
  {
    code: 'yaml_alias',
    mistake: 'a tag',
    files: { 'a.yaml': group('a', {}).replace('A group', '«!!str A group') },
  },
  ...['%YAML 1.1', '%YAML 1.2', '%TAG ! tag:example.org,2026:', '%TAG !e! !f', '%OTHER'].map(
    (directive): LintCase => ({
      code: 'yaml_alias',
      mistake: `the directive ${directive}`,
      files: { 'a.yaml': `# Head.\n«${directive}\n---\n${group('a', {})}` },
    }),
  ),
  ...['\n    ? «domain.has_mx', ' { ? «domain.has_mx }'].map(
    (facts): LintCase => ({
      code: 'yaml_syntax',
      mistake: `a key that nothing stands behind, not even a colon, in ${JSON.stringify(facts)}`,
      files: { 'tests/a.yaml': `- name: one\n  facts:${facts}\n  expect: { action: ALLOW }\n` },
    }),
  ),
  {
    code: 'yaml_syntax',
    mistake: 'a second document, whose rules would be lost',
    files: { 'a.yaml': `${group('a', {})}«---\n${group('b', {})}` },
  },
  {
    code: 'duplicate_key',
    mistake: 'a number and a word that are the same key',
    files: {
      'a.yaml': `${group('a', {})}thresholds:\n  1: { value: 1, description: A. }\n  «"1": { value: 2, description: B. }\n`,
    },
  },
  { code: 'duplicate_key', mistake: 'a key twice', files: { 'a.yaml': `${group('a', {})}«group: b\n` } },
  { code: 'wrong_shape', mistake: 'a file that is a list', files: { 'a.yaml': '«- group' } },
  {
    code: 'wrong_shape',
    mistake: 'rules that are no list',
    files: { 'a.yaml': group('a', {}).replace('rules:', 'rules: «x') },
  },
  {
    code: 'wrong_shape',
    mistake: 'a comparison at the root',
    files: condition(`«${is('domain.has_mx', true)}`),
    hint: 'all',
  },
  {
    code: 'wrong_shape',
    mistake: 'a misspelt combiner',
    files: condition(`{ «al: [${is('domain.has_mx', true)}] }`),
    hint: 'all',
  },
  {
    code: 'wrong_shape',
    mistake: 'text for a number',
    files: rule(`mode: off, ${DISPOSABLE}, event: { type: points, params: { points: «many } }`),
  },
  {
    code: 'wrong_shape',
    mistake: 'a blank description',
    files: { 'a.yaml': group('a', {}).replace('A group.', '«" "') },
  },
  {
    code: 'unknown_key',
    mistake: 'a misspelt key',
    files: { 'a.yaml': group('a', {}).replace('max_score', '«max_scor') },
    hint: 'max_score',
  },
  ...['constructor', 'toString', '__proto__'].map(
    (key): LintCase => ({
      code: 'unknown_key',
      mistake: `the key ${key}, which every object of the language has`,
      files: rule(`${quiet}, ${DISPOSABLE}, «${key}: red`),
    }),
  ),
  {
    code: 'wrong_shape',
    mistake: 'a condition with nothing but a key that every object has',
    files: condition(`{ all: [«{ constructor: 1 }] }`),
  },
  { code: 'unknown_key', mistake: 'a key of no rule', files: rule(`${quiet}, ${DISPOSABLE}, «tint: red`) },
  {
    code: 'missing_key',
    mistake: 'no owner',
    files: {
      'a.yaml': group('a', { r: `${quiet}, ${DISPOSABLE}` })
        .replace('owner: risk, ', '')
        .replace('- {', '- «{'),
    },
  },
  {
    code: 'unknown_value',
    mistake: 'a misspelt mode',
    files: rule(`${points(10, '«shadwo')}, ${DISPOSABLE}`),
    hint: 'shadow',
  },
  {
    code: 'unknown_value',
    mistake: 'an action that allows',
    files: {
      'decision.yaml': DECISION.replace('params: { action: BLOCK }', 'params: { action: «ALLOW }'),
    },
  },
  {
    code: 'out_of_range',
    mistake: 'half a point',
    files: rule(`mode: off, ${DISPOSABLE}, event: { type: points, params: { points: «1.5 } }`),
  },
  {
    code: 'out_of_range',
    mistake: 'no points at all',
    files: rule(`mode: off, ${DISPOSABLE}, event: { type: points, params: { points: «0 } }`),
  },
  {
    code: 'bad_id',
    mistake: 'a dash',
    files: { 'a.yaml': group('a', {}).replace('group: a', 'group: «a-B') },
    hint: 'a_b',
    fix: 'a_b',
  },
  {
    code: 'bad_date',
    mistake: 'no zero in front',
    files: rule(`${quiet}, ${DISPOSABLE}, expires: «2027-6-3`),
    hint: '2027-06-03',
    fix: '2027-06-03',
  },
  {
    code: 'bad_date',
    mistake: 'a moment without its zone',
    files: rule(`${quiet}, ${DISPOSABLE}, expires: «"2027/06/30 12:00"`),
    hint: '2027-06-30T12:00Z',
  },
  {
    code: 'bad_date',
    mistake: 'day first, which may be month first',
    files: rule(`${quiet}, ${DISPOSABLE}, expires: «03.06.2027`),
  },
  {
    code: 'wrong_shape',
    mistake: 'a number in quotes',
    files: rule(`mode: off, ${DISPOSABLE}, event: { type: points, params: { points: «"5" } }`),
    fix: '5',
  },
  ...(['seventy', 'null', '[70]'] as const).map(
    (value): LintCase => ({
      code: 'wrong_shape',
      mistake: `the value ${value} of a threshold by which a level begins`,
      files: {
        'decision.yaml': `${DECISION.replace('value: 70', 'value: { fact: threshold.high }')}thresholds: { high: { value: «${value}, description: High. } }\n`,
      },
    }),
  ),
  {
    code: 'missing_key',
    mistake: 'no value of a threshold by which a level begins',
    files: {
      'decision.yaml': `${DECISION.replace('value: 70', 'value: { fact: threshold.high }')}thresholds: { high: «{ description: High. } }\n`,
    },
  },
  {
    code: 'wrong_shape',
    mistake: 'a threshold in quotes, by which the levels are judged on',
    files: {
      'decision.yaml': `${DECISION.replace('value: 70', 'value: { fact: threshold.high }')}thresholds: { high: { value: «"70", description: High. } }\n`,
    },
    fix: '70',
  },
  {
    code: 'unknown_value',
    mistake: 'an action in small letters',
    files: test('{ name: x, facts: {}, expect: { action: «block } }'),
    hint: 'BLOCK',
    fix: 'BLOCK',
  },
  {
    code: 'bad_date',
    mistake: 'a start in no form of date',
    files: rule(`${quiet}, ${DISPOSABLE}, starts: «soon`),
  },
  {
    code: 'bad_date',
    mistake: 'a start on the day after the end',
    files: rule(`${quiet}, ${DISPOSABLE}, starts: «2027-02-01, expires: 2027-01-31`),
    isBeyondSchema: true,
  },
  {
    code: 'bad_date',
    mistake: 'a test at no moment',
    files: test('{ name: x, at: «tomorrow, facts: {}, expect: { action: ALLOW } }'),
  },
  { code: 'bad_date', mistake: '30 February', files: rule(`${quiet}, ${DISPOSABLE}, expires: «2027-02-30`) },
  {
    code: 'duplicate_id',
    mistake: 'one id in two files',
    files: {
      'a.yaml': group('a', { r: `${quiet}, ${DISPOSABLE}` }),
      'b.yaml': group('b', { '«r': `${quiet}, ${when(is('domain.has_mx', true))}` }),
    },
  },
  {
    code: 'duplicate_id',
    mistake: 'one group in two files',
    files: { 'a.yaml': group('a', {}), 'b.yaml': group('«a', {}) },
  },
  {
    code: 'duplicate_id',
    mistake: 'a level named like a rule',
    files: {
      'a.yaml': group('a', { level_high: `${quiet}, ${DISPOSABLE}` }),
      'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high'),
    },
  },
  {
    code: 'wrong_event',
    mistake: 'an action among points',
    files: rule(`mode: off, ${DISPOSABLE}, event: { type: «action, params: { action: BLOCK } }`),
    hint: 'points',
  },
  {
    code: 'shadow_decides',
    mistake: 'a level in shadow',
    files: {
      'decision.yaml': DECISION.replace(
        '    description: Too high.',
        '    description: Too high.\n    mode: «shadow',
      ),
    },
  },
  {
    code: 'rollout_decides',
    mistake: 'an action that is rolled out',
    files: {
      'decision.yaml': DECISION.replace(
        '    description: Too high.',
        '    description: Too high.\n    «rollout: { percent: 5 }',
      ),
    },
  },
  ...(
    [
      ['out_of_range', 'a rollout to everyone', '«100', undefined],
      ['out_of_range', 'a rollout to no one', '«0', undefined],
      ['out_of_range', 'a rollout to a part of a percent', '«2.5', undefined],
      ['wrong_shape', 'a percentage with its sign', "«'5 %'", '5'],
      ['wrong_shape', 'a percentage that is no number', '«[5]', undefined],
    ] as const
  ).map(([code, mistake, percent, fix]) => ({
    ...{ code, mistake },
    files: rule(`${points(10)}, rollout: { percent: ${percent} }, ${DISPOSABLE}`),
    ...(fix && { fix }),
  })),
  {
    code: 'missing_key',
    mistake: 'a rollout that does not say to how many',
    files: rule(`${points(10)}, rollout: «{ salt: may }, ${DISPOSABLE}`),
  },
  {
    code: 'bad_id',
    mistake: 'a salt with a blank',
    files: rule(`${points(10)}, rollout: { percent: 5, salt: «May 2026 }, ${DISPOSABLE}`),
    ...{ hint: 'may_2026', fix: 'may_2026' },
  },
  {
    code: 'wrong_shape',
    mistake: 'a rollout that is a number',
    files: rule(`${points(10)}, rollout: «5, ${DISPOSABLE}`),
  },
  {
    code: 'unknown_key',
    mistake: 'a misspelt signal threshold',
    files: { 'signals.yaml': 'entropy:\n  «minimum_lenght: 9' },
    hint: 'minimum_length',
  },
];
