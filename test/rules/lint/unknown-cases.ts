import { DECISION, group, is, points, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, decision, type LintCase, quiet, rule } from './lint-case.ts';

export const UNKNOWN_CASES: readonly LintCase[] = [
  {
    code: 'negative_points_unknown',
    mistake: 'trust in what may be unknown',
    files: rule(`${points(-5, 'off')}, ${when(is('«domain.has_mx', true))}`),
  },
  {
    code: 'forced_allow_unknown',
    mistake: 'ALLOW by DNS',
    files: decision(
      'forced',
      '{ type: force, params: { action: ALLOW } }',
      `{ all: [${is('«domain.has_mx', true)}] }`,
    ),
  },
  {
    code: 'absorbs_unknown_rule',
    mistake: 'a misspelt rule',
    files: {
      'a.yaml': group('a', {
        small: `${quiet}, ${DISPOSABLE}`,
        r: `${quiet}, ${when(is('domain.has_mx', true))}, absorbs: [«smal]`,
      }),
    },
    hint: 'small',
  },
  {
    code: 'absorbs_other_group',
    mistake: 'a rule of another group',
    files: {
      'a.yaml': group('a', { small: `${quiet}, ${DISPOSABLE}` }),
      'b.yaml': group('b', { r: `${quiet}, ${when(is('domain.has_mx', true))}, absorbs: [«small]` }),
    },
  },
  {
    code: 'absorbs_negative',
    mistake: 'a rule that takes away',
    files: {
      'a.yaml': group('a', {
        small: `${points(-5, 'off')}, ${DISPOSABLE}`,
        r: `${quiet}, ${when(is('domain.has_mx', true))}, absorbs: [«small]`,
      }),
    },
  },
  {
    code: 'absorbs_half',
    mistake: 'itself',
    files: { 'a.yaml': group('a', { r: `${quiet}, ${DISPOSABLE}, absorbs: [«r]` }) },
  },
  {
    code: 'absorbs_half',
    mistake: 'a composite without what it absorbs',
    files: {
      'a.yaml': group('a', {
        one: `${quiet}, ${DISPOSABLE}`,
        two: `${quiet}, ${when(is('domain.has_mx', true))}, absorbs: [one]`,
        three: `${points(30, 'off')}, ${when(is('domain.is_catch_all', true))}, absorbs: [«two]`,
      }),
    },
  },
  {
    code: 'absorbs_too_much',
    mistake: 'worth less than what it absorbs',
    files: {
      'a.yaml': group('a', {
        small: `${quiet}, ${DISPOSABLE}`,
        r: `${points(9, 'off')}, ${when(is('domain.has_mx', true))}, absorbs: [«small]`,
      }),
    },
  },
  {
    code: 'score_not_ready',
    mistake: 'points by the score',
    files: condition('{ all: [{ fact: «risk_score, operator: greaterThan, value: 5 }] }'),
  },
  {
    code: 'level_reads_fact',
    mistake: 'a level by a fact',
    files: {
      'decision.yaml': DECISION.replace(
        '{ fact: risk_score, operator: greaterThanInclusive, value: 30 }',
        is('«domain.has_mx', true),
      ),
    },
  },
  {
    code: 'value_misfit',
    mistake: 'the score against a fact: a verdict would hang on a value',
    files: {
      'decision.yaml': `${DECISION}  - id: odd
    description: Odd.
    conditions: { all: [{ fact: risk_score, operator: greaterThan, value: { fact: «mx.host_count } }] }
    event: { type: action, params: { action: BLOCK } }
`,
    },
  },
  {
    code: 'falls_with_score',
    mistake: 'a level below a score',
    files: {
      'decision.yaml': DECISION.replace(
        '{ fact: risk_score, operator: greaterThanInclusive, value: 30 }',
        '{ fact: «risk_score, operator: lessThan, value: 30 }',
      ),
    },
  },
  {
    code: 'falls_with_score',
    mistake: 'BLOCK not above a score',
    files: {
      'decision.yaml': DECISION.replace(
        /(block\n.*\n.*all: )\[(.*)\] }/,
        '$1[{ not: { fact: «risk_score, operator: greaterThan, value: 70 } }] }',
      ),
    },
  },
  {
    code: 'falls_with_score',
    mistake: 'the score on the right',
    files: {
      'decision.yaml': DECISION.replace(
        /(block\n.*\n.*all: )\[(.*)\] }/,
        '$1[{ fact: mx.host_count, operator: lessThan, value: { fact: «risk_score } }] }',
      ),
    },
  },
  {
    code: 'level_order',
    mistake: 'high below medium',
    files: {
      'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high').replace(
        'value: 30',
        'value: 80',
      ),
    },
  },
  {
    code: 'level_order',
    mistake: 'a level out of reach',
    files: {
      'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high').replace(
        'greaterThanInclusive, value: 70',
        'greaterThan, value: 100',
      ),
    },
  },
];
