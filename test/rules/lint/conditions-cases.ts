import { group, is, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, type LintCase, quiet, rule, test } from './lint-case.ts';

const LONG = Array.from({ length: 21 }, () => 'google').join(', ');

export const CONDITIONS_CASES: readonly LintCase[] = [
  { code: 'empty_condition', mistake: 'any of nothing', files: condition('{ any: «[] }') },
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
    code: 'engine_extra',
    mistake: 'a named condition',
    files: condition('{ all: [«{ condition: shared }] }'),
  },
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
