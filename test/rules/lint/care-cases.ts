import { group, is, points, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, type LintCase, test } from './lint-case.ts';

export const CARE_CASES: readonly LintCase[] = [
  {
    code: 'contradicting_facts',
    mistake: 'MX records of a domain that does not exist',
    files: test(
      '{ name: x, facts: { domain.has_mx: true, mx.host_count: 1, mx.outcome: «nxdomain }, expect: { action: ALLOW } }',
    ),
  },
  {
    code: 'contradicting_facts',
    mistake: 'the same beside an address, whose own facts these replace',
    files: test(
      '{ name: x, email: a@x.org, facts: { mx.outcome: null_mx, domain.has_mx: «true }, expect: { action: ALLOW } }',
    ),
  },
  {
    code: 'expired',
    mistake: 'a rule past its date',
    files: { 'a.yaml': group('a', { '«r': `${points(10)}, ${DISPOSABLE}, expires: 2026-11-19` }) },
  },
  {
    code: 'expired',
    mistake: 'an entry past its moment',
    files: { 'allow.yaml': '- { value: «x.org, reason: Y., owner: z, expires: "2026-11-20T12:00:00Z" }' },
  },
  ...['off', 'shadow'].map(
    (mode): LintCase => ({
      code: 'idle_rollout',
      mistake: `a rollout of a rule that is ${mode}`,
      files: { 'a.yaml': group('a', { r: `${points(10, mode)}, rollout: «{ percent: 5 }, ${DISPOSABLE}` }) },
    }),
  ),
  {
    code: 'personal_fact',
    mistake: 'a fact that quotes the address',
    files: condition(`{ all: [${is('«typo.suggestion', 'some')}] }`),
  },
  {
    code: 'untested_rule',
    mistake: 'no test at all',
    files: { 'a.yaml': group('a', { '«r': `${points(10)}, ${DISPOSABLE}` }) },
  },
  {
    code: 'untested_rule',
    mistake: 'no test of a rule that is to come',
    files: { 'a.yaml': group('a', { '«r': `${points(10)}, ${DISPOSABLE}, starts: 2027-02-01` }) },
  },
  {
    code: 'untested_rule',
    mistake: 'no test in which it stays quiet',
    files: {
      'a.yaml': group('a', { '«r': `${points(10)}, ${DISPOSABLE}` }),
      ...test('{ name: x, facts: {}, expect: { fired: [r] } }'),
    },
  },
  {
    code: 'bad_list_value',
    mistake: 'the line ends of an old Macintosh in a list of lines',
    files: { 'lists/rented.txt': '# Head.«\rx.org\r' },
  },
  {
    code: 'bad_list_value',
    mistake: 'two @',
    files: { 'deny.yaml': '- { value: «"a@@x", reason: Y., owner: z }' },
  },
  {
    code: 'bad_list_value',
    mistake: 'a wildcard, which would never fit',
    files: { 'deny.yaml': '- { value: «"*.x.org", reason: Y., owner: z }' },
    hint: '.x.org',
  },
  {
    code: 'bad_list_value',
    mistake: 'a wildcard for every mailbox of a domain',
    files: { 'deny.yaml': '- { value: «"*@x.org", reason: Y., owner: z }' },
    hint: 'x.org',
    fix: 'x.org',
  },
  {
    code: 'bad_list_value',
    mistake: 'a URL',
    files: { 'deny.yaml': '- { value: «"https://x.org", reason: Y., owner: z }' },
    hint: 'x.org',
  },
  {
    code: 'bad_list_value',
    mistake: 'a wildcard with a space',
    files: { 'deny.yaml': '- { value: «"x org", reason: Y., owner: z }' },
  },
  {
    code: 'duplicate_entry',
    mistake: 'an entry twice',
    files: {
      'deny.yaml': '- { value: x.org, reason: Y., owner: z }\n- { value: «X.org, reason: Y., owner: z }',
    },
  },
  {
    code: 'forced_clash',
    mistake: 'allowed and denied',
    files: {
      'allow.yaml': '- { value: x.org, reason: Y., owner: z }',
      'deny.yaml': '- { value: «x.org, reason: Y., owner: z }',
    },
  },
  {
    code: 'duplicate_entry',
    mistake: 'one domain in two scripts',
    files: {
      'deny.yaml':
        '- { value: bücher.example, reason: Y., owner: z }\n- { value: «xn--bcher-kva.example, reason: Y., owner: z }',
    },
  },
  {
    code: 'forced_clash',
    mistake: 'one mailbox, written otherwise, allowed and denied',
    files: {
      'allow.yaml': '- { value: J.Doe+1@gmail.com, reason: Y., owner: z }',
      'deny.yaml': '- { value: «jdoe@googlemail.com, reason: Y., owner: z }',
    },
  },
  {
    code: 'bad_list_value',
    mistake: 'a name that every reader takes for an IP address',
    files: { 'deny.yaml': '- { value: «"1.2", reason: Y., owner: z }' },
  },
  {
    code: 'bad_list_value',
    mistake: 'a query',
    files: { 'deny.yaml': '- { value: «a?b#c.org, reason: Y., owner: z }' },
  },
  {
    code: 'unknown_section',
    mistake: 'a misspelt provider',
    files: { 'signals.yaml': '«entrpy: {}' },
    hint: 'entropy',
  },
  {
    code: 'bad_threshold',
    mistake: 'below its minimum',
    files: { 'signals.yaml': 'entropy:\n  «minimum_length: 0' },
  },
  {
    code: 'bad_threshold',
    mistake: 'what the provider itself refuses',
    files: { 'signals.yaml': 'entropy:\n  steps: [1, 4, «3]' },
    isBeyondSchema: true,
  },
  {
    code: 'unknown_rule',
    mistake: 'a test of no rule',
    files: test('{ name: x, facts: {}, expect: { fired: [«level_hihg] } }'),
    hint: 'level_high',
  },
  ...[
    'fired: «[]',
    'not_fired: «[]',
    'action: BLOCK, fired: «[]',
    'score: «{}',
    'score: «{ min: 0 }',
    'score: «{ max: 100 }',
  ].map(
    (expected): LintCase => ({
      code: 'empty_condition',
      mistake: `a test that expects ${expected}, which always holds`,
      files: test(`{ name: x, facts: {}, expect: { ${expected} } }`),
      isBeyondSchema: true,
    }),
  ),
  {
    code: 'duplicate_value',
    mistake: 'a rule that must fire and must not',
    files: test('{ name: x, facts: {}, expect: { fired: [level_high], not_fired: «[level_high] } }'),
  },
  {
    code: 'duplicate_entry',
    mistake: 'two tests of one name',
    files: {
      'tests/a.yaml':
        '- { name: x, facts: {}, expect: { action: ALLOW } }\n- «{ name: x, facts: {}, expect: { level: low } }\n',
    },
  },
  ...[
    '{ name: x, facts: { «domain.has_mx: }, expect: { action: ALLOW } }',
    '\n  name: x\n  facts:\n    «domain.has_mx: # so\n  expect: { action: ALLOW }',
  ].map(
    (text): LintCase => ({
      code: 'value_misfit',
      mistake: `a fact without a value, which would be unknown, in ${JSON.stringify(text)}`,
      files: test(text),
      isBeyondSchema: true,
    }),
  ),
  {
    code: 'out_of_range',
    mistake: 'a score that none can be',
    files: test('{ name: x, facts: {}, expect: { score: «{ min: 10, max: 5 } } }'),
    isBeyondSchema: true,
  },
  {
    code: 'disabled_fact',
    mistake: 'a fact of a provider that is off, in a rule that takes points away',
    files: {
      'a.yaml': group('a', { r: `${points(-5)}, ${when(is('«off.flag', true))}` }),
      'tests/a.yaml':
        '- { name: x, facts: { off.flag: null }, expect: { not_fired: [r] } }\n- { name: y, facts: { off.flag: true }, expect: { fired: [r] } }',
    },
  },
];
