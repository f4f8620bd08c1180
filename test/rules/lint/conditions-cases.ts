import { MOST_ENTRIES } from '../../../src/rules/named-list.ts';
import { group, is, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, type LintCase, quiet, rule, test } from './lint-case.ts';

const SIGNS = [
  is('domain.has_mx', false),
  is('entropy.suspicious', true),
  is('domain.is_role_account', true),
].join(', ');
const LONG = Array.from({ length: 21 }, () => 'google').join(', ');

/** A rule that is told of as a whole. */
const marked = (text: string) => ({ 'a.yaml': group('a', { '«r': text }) });

/** A list that a rule looks into for a fact. */
const listed = (entries: string, fact = 'address.domain') => ({
  ...condition(`{ all: [{ fact: ${fact}, operator: in_list, value: partner }] }`),
  'lists/partner.txt': entries,
});

export const CONDITIONS_CASES: readonly LintCase[] = [
  { code: 'empty_condition', mistake: 'any of nothing', files: condition('{ any: «[] }') },
  ...(
    [
      ['out_of_range', 'a count of none', `count: «0, of: [${SIGNS}]`],
      ['out_of_range', 'a count of more than there are', `count: «4, of: [${SIGNS}]`],
      ['plain_count', 'a count of one, which is any', `count: «1, of: [${SIGNS}]`],
      ['plain_count', 'a count of all', `count: «3, of: [${SIGNS}]`],
      [
        'counted_twice',
        'a condition twice',
        `count: 2, of: [${SIGNS}, { fact: «domain.has_mx, operator: equal, value: false }]`,
      ],
      [
        'counted_twice',
        'the same condition, written otherwise',
        `count: 2, of: [${SIGNS}, { not: { fact: «domain.has_mx, operator: notEqual, value: false } }]`,
      ],
      ['empty_condition', 'at least two of none', 'count: 2, of: «[]'],
      ['missing_key', 'no count', `of: [${SIGNS}]`],
      [
        'subsumed_condition',
        'a part that is never true',
        `count: 2, of: [${SIGNS}, { all: [{ fact: «mx.host_count, operator: equal, value: 1 }, { fact: mx.host_count, operator: equal, value: 2 }] }]`,
      ],
    ] as const
  ).map(
    ([code, mistake, text]): LintCase => ({
      code,
      mistake: `at_least with ${mistake}`,
      files: condition(`{ at_least: ${code === 'missing_key' ? '«' : ''}{ ${text} } }`),
      ...(mistake === 'a count of more than there are' && { isBeyondSchema: true as const }),
    }),
  ),
  {
    code: 'wrong_shape',
    mistake: 'a count in the place of a mapping',
    files: condition(`{ at_least: 2, «of: [${SIGNS}] }`),
  },
  {
    code: 'wrong_shape',
    mistake: 'a list without a count',
    files: condition(`{ at_least: «[${SIGNS}] }`),
  },
  {
    code: 'never_true',
    mistake: 'two of three of which no two go together',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, conditions: { at_least: { count: 2, of: [${['google', 'microsoft', 'other'].map((name) => is('mx.provider', name)).join(', ')}] } }`,
      }),
    },
  },
  {
    code: 'large_condition',
    mistake: 'more to count than the engine is given',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, conditions: { at_least: { count: 7, of: [${Array.from({ length: 14 }, (_, n) => `{ fact: mx.host_count, operator: equal, value: ${n} }`).join(', ')}] } }`,
      }),
    },
  },
  {
    code: 'empty_condition',
    mistake: 'in nothing',
    files: condition('{ all: [{ fact: mx.outcome, operator: in, value: «[] }] }'),
  },
  {
    code: 'empty_condition',
    mistake: 'a test that expects nothing',
    files: test('{ name: x, facts: {}, expect: «{} }'),
  },
  {
    code: 'mixed_condition',
    mistake: 'any beside all',
    files: condition(`«{ any: [${is('domain.has_mx', true)}], all: [${is('domain.has_mx', true)}] }`),
  },
  { code: 'engine_extra', mistake: 'a priority', files: rule(`${quiet}, ${DISPOSABLE}, «priority: 0`) },
  {
    code: 'path_refused',
    mistake: 'a path',
    files: condition('{ all: [{ fact: domain.has_mx, operator: equal, value: true, «path: $.x }] }'),
  },
  {
    code: 'decorator_refused',
    mistake: 'not:equal',
    files: condition('{ all: [{ fact: domain.has_mx, operator: «"not:equal", value: true }] }'),
    hint: 'notEqual',
    fix: 'notEqual',
  },
  {
    code: 'decorator_refused',
    mistake: 'one that has no opposite',
    files: condition('{ all: [{ fact: domain.has_mx, operator: «"someFact:equal", value: true }] }'),
  },
  {
    code: 'unknown_operator',
    mistake: 'as in a programming language',
    files: condition('{ all: [{ fact: mx.host_count, operator: «">=", value: 1 }] }'),
    hint: 'greaterThanInclusive',
    fix: 'greaterThanInclusive',
  },
  {
    code: 'unknown_operator',
    mistake: 'as in another rule engine',
    files: condition('{ all: [{ fact: mx.host_count, operator: «GTE, value: 1 }] }'),
    hint: 'greaterThanInclusive',
    fix: 'greaterThanInclusive',
  },
  ...Object.entries({ and: 'all', or: 'any', AND: 'all', anyOf: 'any', Any: 'any' }).map(
    ([word, own]): LintCase => ({
      code: 'wrong_shape',
      mistake: `${word}, as other languages call it`,
      files: condition(`{ «${word}: [${is('domain.has_mx', true)}] }`),
      hint: own,
      fix: own,
    }),
  ),
  {
    code: 'wrong_shape',
    mistake: 'none, which is not simply not',
    files: condition(`«{ none: [${is('domain.has_mx', true)}] }`),
  },
  ...Object.entries({
    'threshold.busy': true,
    busy: false,
    'facts.threshold.busy': false,
    'threshold.bussy': false,
  }).map(
    ([word, isCertain]): LintCase => ({
      code: 'value_misfit',
      mistake: `a threshold as the text ${word}`,
      files: {
        'a.yaml': `thresholds: { busy: { value: 3, description: Busy. } }\n${group('a', {
          r: `${quiet}, ${when(`{ fact: mx.host_count, operator: greaterThan, value: «${word} }`)}`,
          s: `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }')}`,
        })}`,
      },
      hint: '{ fact: threshold.busy }',
      ...(isCertain && { fix: '{ fact: threshold.busy }' }),
    }),
  ),
  ...Object.entries({
    'syntax.fault_count': true,
    'facts.syntax.fault_count': false,
    'signals.syntax.fault_count': false,
  }).map(
    ([word, isCertain]): LintCase => ({
      code: 'value_misfit',
      mistake: `a fact as the text ${word}`,
      files: condition(`{ all: [{ fact: mx.host_count, operator: equal, value: «${word} }] }`),
      hint: '{ fact: syntax.fault_count }',
      ...(isCertain && { fix: '{ fact: syntax.fault_count }' }),
    }),
  ),
  {
    code: 'unknown_key',
    mistake: 'a threshold under a key of its own',
    files: condition('{ all: [{ fact: mx.host_count, operator: equal, value: { «threshold: busy } }] }'),
  },
  ...Object.entries({
    'domain.has_mx: «no': 'false',
    'domain.has_mx: «"true"': 'true',
    'mx.host_count: «"12"': '12',
    'mx.host_count: «1_000': '1000',
    'mx.outcome: «NXDOMAIN': 'nxdomain',
  }).map(
    ([stated, fix]): LintCase => ({
      code: 'value_misfit',
      mistake: `the fact ${stated} of a test`,
      files: test(`{ name: x, facts: { ${stated} }, expect: { action: ALLOW } }`),
      ...(fix === 'nxdomain' && { hint: fix }),
      fix,
    }),
  ),
  {
    code: 'value_misfit',
    mistake: 'a yes',
    files: condition('{ all: [{ fact: domain.has_mx, operator: equal, value: «yes }] }'),
    fix: 'true',
  },
  {
    code: 'value_misfit',
    mistake: 'a number in quotes',
    files: condition('{ all: [{ fact: mx.host_count, operator: equal, value: «"12" }] }'),
    fix: '12',
  },
  {
    code: 'value_misfit',
    mistake: 'a word in place of a list',
    files: condition('{ all: [{ fact: mx.outcome, operator: in, value: «nxdomain }] }'),
    fix: '[nxdomain]',
  },
  {
    code: 'value_misfit',
    mistake: 'a list in place of a word',
    files: condition('{ all: [{ fact: mx.outcome, operator: equal, value: «[nxdomain] }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'a word in another case',
    files: condition('{ all: [{ fact: mx.outcome, operator: equal, value: «NXDOMAIN }] }'),
    hint: 'nxdomain',
    fix: 'nxdomain',
  },
  {
    code: 'unknown_fact',
    mistake: 'a misspelt fact',
    files: condition(`{ all: [${is('«domain.has_mxx', true)}] }`),
    hint: 'domain.has_mx',
  },
  {
    code: 'unknown_fact',
    mistake: 'a fact without its first part',
    files: condition(`{ all: [${is('«is_known_disposable', true)}] }`),
    hint: 'domain.is_known_disposable',
  },
  {
    code: 'unknown_fact',
    mistake: 'a misspelt fact in a test',
    files: test('{ name: x, facts: { «domain.hasmx: true }, expect: { action: ALLOW } }'),
    hint: 'domain.has_mx',
    fix: 'domain.has_mx',
  },
  {
    code: 'unknown_operator',
    mistake: 'a misspelt operator',
    files: condition('{ all: [{ fact: mx.host_count, operator: «greaterthan, value: 1 }] }'),
    hint: 'greaterThan',
    fix: 'greaterThan',
  },
  {
    code: 'unknown_operator',
    mistake: 'an operator for lists',
    files: condition('{ all: [{ fact: mx.host_count, operator: «contains, value: 1 }] }'),
  },
  {
    code: 'operator_misfit',
    mistake: 'a boolean by size',
    files: condition('{ all: [{ fact: domain.has_mx, operator: «lessThan, value: true }] }'),
  },
  {
    code: 'operator_misfit',
    mistake: 'a number in a list',
    files: condition('{ all: [{ fact: mx.host_count, operator: «in, value: [1] }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'text for a boolean',
    files: condition('{ all: [{ fact: domain.has_mx, operator: equal, value: «"true" }] }'),
    fix: 'true',
  },
  {
    code: 'value_misfit',
    mistake: 'null, which is no value',
    files: condition('{ all: [{ fact: domain.has_mx, operator: equal, value: «null }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'a word that is not of the list',
    files: condition(`{ all: [{ fact: mx.outcome, operator: equal, value: «nulmx }] }`),
    hint: 'null_mx',
  },
  {
    code: 'operator_misfit',
    mistake: 'the end of a word of a list',
    files: condition('{ all: [{ fact: mx.outcome, operator: «ends_with, value: domain }] }'),
  },
  {
    code: 'unknown_operator',
    mistake: 'the end of a text as in a programming language',
    files: condition('{ all: [{ fact: address.domain, operator: «endsWith, value: .org }] }'),
    hint: 'ends_with',
    fix: 'ends_with',
  },
  {
    code: 'unknown_operator',
    mistake: 'a regular expression',
    files: condition('{ all: [{ fact: address.domain, operator: «matches, value: "^a" }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'a domain in capitals',
    files: condition('{ all: [{ fact: address.domain, operator: equal, value: «Example.ORG }] }'),
    isBeyondSchema: true,
    hint: 'example.org',
    fix: 'example.org',
  },
  {
    code: 'value_misfit',
    mistake: 'a domain in letters beyond ASCII',
    files: condition('{ all: [{ fact: address.domain, operator: in, value: [«bücher.example] }] }'),
    isBeyondSchema: true,
    hint: 'xn--bcher-kva.example',
    fix: 'xn--bcher-kva.example',
  },
  {
    code: 'value_misfit',
    mistake: 'the end of a domain in capitals',
    files: condition('{ all: [{ fact: address.domain, operator: ends_with, value: «.Example.ORG }] }'),
    isBeyondSchema: true,
    hint: '.example.org',
    fix: '.example.org',
  },
  {
    code: 'value_misfit',
    mistake: 'a wildcard at the front of an end',
    files: condition('{ all: [{ fact: address.domain, operator: ends_with, value: «"*.example.org" }] }'),
    isBeyondSchema: true,
    hint: '.example.org',
    fix: '.example.org',
  },
  {
    code: 'value_misfit',
    mistake: 'an end with its @',
    files: condition('{ all: [{ fact: address.domain, operator: ends_with, value: «"@example.org" }] }'),
    isBeyondSchema: true,
  },
  {
    code: 'value_misfit',
    mistake: 'a pattern among domains',
    files: condition('{ all: [{ fact: address.domain, operator: in, value: [«"*.example.org"] }] }'),
    isBeyondSchema: true,
  },
  ...['(com|org)$', '\\.ru', '[a-z]+.example'].map(
    (pattern): LintCase => ({
      code: 'value_misfit',
      mistake: `the regular expression ${pattern}`,
      files: condition(`{ all: [{ fact: address.domain, operator: ends_with, value: «'${pattern}' }] }`),
      isBeyondSchema: true,
    }),
  ),
  {
    code: 'value_misfit',
    mistake: 'a domain with a dot at its front',
    files: condition('{ all: [{ fact: address.domain, operator: equal, value: «.example.org }] }'),
    isBeyondSchema: true,
  },
  {
    code: 'value_misfit',
    mistake: 'an end with a final dot',
    files: condition('{ all: [{ fact: address.domain, operator: ends_with, value: «.org. }] }'),
    isBeyondSchema: true,
    hint: '.org',
    fix: '.org',
  },
  {
    code: 'value_misfit',
    mistake: 'no text',
    files: condition('{ all: [{ fact: banner.text, operator: starts_with, value: «"" }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'a number in place of a text',
    files: condition('{ all: [{ fact: banner.text, operator: equal, value: «220 }] }'),
    fix: '"220"',
  },
  {
    code: 'value_misfit',
    mistake: 'the name of a fact as a text',
    files: condition(
      '{ all: [{ fact: address.domain, operator: equal, value: «address.registrable_domain }] }',
    ),
    isBeyondSchema: true,
    hint: '{ fact: address.registrable_domain }',
    fix: '{ fact: address.registrable_domain }',
  },
  {
    code: 'value_misfit',
    mistake: 'the end of one text in another fact',
    files: condition(
      '{ all: [{ fact: address.domain, operator: ends_with, value: «{ fact: address.registrable_domain } }] }',
    ),
  },
  {
    code: 'value_misfit',
    mistake: 'a text against a domain',
    files: condition('{ all: [{ fact: address.domain, operator: equal, value: { fact: «banner.text } }] }'),
  },
  {
    code: 'never_true',
    mistake: 'a domain that ends in two ways',
    files: marked(
      `${quiet}, ${when('{ fact: address.domain, operator: ends_with, value: .org }', '{ fact: address.domain, operator: ends_with, value: .com }')}`,
    ),
  },
  {
    code: 'always_true',
    mistake: 'a domain that is not both',
    files: marked(
      `${quiet}, conditions: { any: [{ fact: address.domain, operator: notEqual, value: a.org }, { fact: address.domain, operator: notEqual, value: b.org }] }`,
    ),
  },
  {
    code: 'subsumed_condition',
    mistake: 'an end beside a longer one',
    files: rule(
      `${quiet}, ${when('{ fact: «address.domain, operator: ends_with, value: .org }', '{ fact: address.domain, operator: ends_with, value: .example.org }')}`,
    ),
  },
  {
    code: 'unknown_list',
    mistake: 'a list that there is none of',
    files: {
      ...condition(
        '{ all: [{ fact: address.domain, operator: in_list, value: «partnr }, { fact: address.domain, operator: in_list, value: partner }] }',
      ),
      'lists/partner.txt': 'example.org\n',
    },
    isBeyondSchema: true,
    hint: 'partner',
  },
  {
    code: 'value_misfit',
    mistake: 'domains in the place of a list',
    files: {
      ...condition(
        '{ all: [{ fact: address.domain, operator: in_list, value: «[example.org] }, { fact: address.domain, operator: in_list, value: partner }] }',
      ),
      'lists/partner.txt': 'example.org\n',
    },
  },
  {
    code: 'value_misfit',
    mistake: 'the name of a list in the place of domains',
    files: besideList('operator: in, value: «partner'),
  },
  ...['operator: notIn, value: [example.net, «partner]', 'operator: equal, value: «partner'].map(
    (comparison): LintCase => ({
      code: 'value_misfit',
      mistake: `the name of a list in the place of a domain: ${comparison}`,
      isBeyondSchema: true,
      files: besideList(comparison),
    }),
  ),
  {
    code: 'ends_within_label',
    mistake: 'a domain without a dot at its front',
    files: condition('{ all: [{ fact: address.domain, operator: ends_with, value: «example.org }] }'),
    hint: '.example.org',
  },
  {
    code: 'ends_within_label',
    mistake: 'the same, denied',
    files: condition('{ all: [{ fact: address.domain, operator: not_ends_with, value: «ru }] }'),
    hint: '.ru',
  },
  {
    code: 'value_never_fits',
    mistake: 'a domain that counts as another',
    files: condition('{ all: [{ fact: address.domain, operator: equal, value: «googlemail.com }] }'),
    hint: 'gmail.com',
  },
  {
    code: 'value_never_fits',
    mistake: 'the same among others',
    files: condition(
      '{ all: [{ fact: address.domain, operator: in, value: [example.org, «googlemail.com] }] }',
    ),
    hint: 'gmail.com',
  },
  {
    code: 'value_never_fits',
    mistake: 'the same, denied',
    files: condition('{ all: [{ fact: address.domain, operator: notEqual, value: «googlemail.com }] }'),
    hint: 'gmail.com',
  },
  {
    code: 'value_never_fits',
    mistake: 'a mailbox of its own below a provider, as a value',
    files: condition(
      '{ all: [{ fact: address.registrable_domain, operator: notIn, value: [«jane.fastmail.com, example.org] }] }',
    ),
    hint: 'fastmail.com',
  },
  {
    code: 'value_never_fits',
    mistake: 'a subdomain where what was registered is compared',
    files: condition(
      '{ all: [{ fact: address.registrable_domain, operator: equal, value: «mail.example.co.uk }] }',
    ),
    hint: 'example.co.uk',
  },
  {
    code: 'value_never_fits',
    mistake: 'a public suffix where what was registered is compared',
    files: condition('{ all: [{ fact: address.registrable_domain, operator: in, value: [«co.uk] }] }'),
  },
  {
    code: 'entry_never_fits',
    mistake: 'a domain that counts as another',
    files: listed('example.org\n«googlemail.com\n'),
    hint: 'gmail.com',
  },
  {
    code: 'entry_never_fits',
    mistake: 'the same with all below it, in capitals',
    files: listed('«.GoogleMail.com\n'),
    hint: '.gmail.com',
  },
  {
    code: 'entry_never_fits',
    mistake: 'a mailbox of its own below a provider',
    files: listed('«jane.fastmail.com\n'),
    hint: 'fastmail.com',
  },
  {
    code: 'entry_never_fits',
    mistake: 'a subdomain where rules look for what was registered',
    files: listed('«mail.example.co.uk\n', 'address.registrable_domain'),
    hint: 'example.co.uk',
  },
  {
    code: 'entry_never_fits',
    mistake: 'a public suffix where rules look for what was registered',
    files: listed('«co.uk\n', 'address.registrable_domain'),
    hint: '.co.uk',
  },
  {
    code: 'covered_entry',
    mistake: 'a domain that another entry has with all below it',
    files: listed('.example.org\n«mail.example.org\n'),
  },
  {
    code: 'covered_entry',
    mistake: 'the domain of such an entry itself',
    files: listed('«example.org\n.example.org\n'),
  },
  {
    code: 'unused_list',
    mistake: 'a list that no rule reads',
    files: { 'lists/partner.txt': '«example.org\n' },
  },
  {
    code: 'wrong_shape',
    mistake: 'thresholds that are no mapping, of which nothing else is told',
    files: {
      'a.yaml': `thresholds: «[3]\n${group('a', {
        r: `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }')}`,
      })}`,
    },
  },
  {
    code: 'long_list',
    mistake: 'more domains than a list may have',
    isBeyondSchema: true,
    files: { 'lists/partner.txt': `«${'a.example\n'.repeat(MOST_ENTRIES.txt + 1)}` },
  },
  {
    code: 'bad_list_value',
    mistake: 'a pattern in a named list',
    files: { 'lists/partner.txt': 'example.org\n«*.example.org\n' },
    hint: '.example.org',
  },
  {
    code: 'bad_list_value',
    mistake: 'a top-level domain in a named list without its dot',
    files: { 'lists/partner.txt': 'example.org\n«ru\n' },
    hint: '.ru',
  },
  {
    code: 'bad_list_value',
    mistake: 'a domain behind the sign of a comment in other languages',
    files: { 'lists/partner.txt': 'example.org\n«// example.net\n' },
    hint: 'example.net',
  },
  {
    code: 'value_misfit',
    mistake: 'a word within a list',
    files: condition('{ all: [{ fact: mx.outcome, operator: in, value: [mx, «nxdomai] }] }'),
    hint: 'nxdomain',
  },
  {
    code: 'value_misfit',
    mistake: 'a fact of another type',
    files: condition('{ all: [{ fact: mx.host_count, operator: equal, value: { fact: «domain.has_mx } }] }'),
  },
  {
    code: 'value_misfit',
    mistake: 'unknown where it cannot be',
    files: test('{ name: x, facts: { syntax.fault_count: «null }, expect: { action: ALLOW } }'),
  },
  {
    code: 'long_list',
    mistake: '21 values',
    files: condition(`{ all: [{ fact: mx.provider, operator: in, value: «[${LONG}] }] }`),
  },
  {
    code: 'unknown_threshold',
    mistake: 'a misspelt threshold',
    files: {
      'a.yaml': `thresholds: { busy: { value: 3, description: Busy. } }\n${group('a', {
        r: `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: «threshold.bussy } }')}`,
        s: `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }')}`,
      })}`,
    },
    hint: 'threshold.busy',
  },
  {
    code: 'unused_threshold',
    mistake: 'a threshold that nobody reads',
    files: { 'a.yaml': `thresholds:\n  «busy: { value: 3, description: Busy. }\n${group('a', {})}` },
  },
];

/** A rule that compares the domain, with the list `partner` beside it. */
function besideList(comparison: string): LintCase['files'] {
  return {
    ...condition(
      `{ all: [{ fact: address.domain, ${comparison} }, { fact: address.domain, operator: in_list, value: partner }] }`,
    ),
    'lists/partner.txt': 'example.org\n',
  };
}
