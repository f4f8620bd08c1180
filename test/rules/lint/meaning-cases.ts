import { DECISION, group, is, points, when } from '../rules-directory.ts';
import { DISPOSABLE, type LintCase, quiet, tested } from './lint-case.ts';

/** Conditions that are always the same, or the same as another's. */
export const MEANING_CASES: readonly LintCase[] = [
  {
    code: 'never_true',
    mistake: 'what never fires in a group that is full, of which nothing else is told',
    files: {
      'a.yaml': group(
        'a',
        {
          r: `${points(20)}, ${DISPOSABLE}`,
          '«s': `${points(5)}, ${when(is('domain.has_mx', true), is('domain.has_mx', false))}`,
        },
        20,
      ),
      ...tested('r', 's'),
    },
  },
  {
    code: 'never_true',
    mistake: 'BLOCK above 100',
    files: {
      'decision.yaml': DECISION.replace(/id: (block\n.*\n.*value: )70/, (_, head) => `id: «${head}101`),
    },
  },
  {
    code: 'never_true',
    mistake: 'two words at once',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when(is('mx.outcome', 'mx'), is('mx.outcome', 'nxdomain'))}`,
      }),
    },
  },
  {
    code: 'never_true',
    mistake: 'above 3 and below 2',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: 3 }', '{ fact: mx.host_count, operator: lessThan, value: 2 }')}`,
      }),
    },
  },
  {
    code: 'never_true',
    mistake: 'two facts that no domain has together',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when(is('mx.outcome', 'nxdomain'), is('domain.has_mx', true))}`,
      }),
    },
  },
  {
    code: 'always_true',
    mistake: 'a thing or its opposite',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, conditions: { any: [${is('domain.has_mx', true)}, { not: ${is('domain.has_mx', true)} }] }`,
      }),
    },
  },
  {
    code: 'always_true',
    mistake: 'two things, one of which every domain has',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, conditions: { any: [{ fact: mx.outcome, operator: notEqual, value: nxdomain }, ${is('domain.has_mx', false)}] }`,
      }),
    },
  },
  {
    code: 'never_true',
    mistake: 'two facts, each above the other',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: syntax.fault_count } }', '{ fact: syntax.fault_count, operator: greaterThan, value: { fact: mx.host_count } }')}`,
      }),
    },
  },
  {
    code: 'never_true',
    mistake: 'a whole number between 2 and 3',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when('{ fact: mx.host_count, operator: greaterThan, value: 2 }', '{ fact: mx.host_count, operator: lessThan, value: 3 }')}`,
      }),
    },
  },
  {
    code: 'always_true',
    mistake: 'every word of the list',
    files: {
      'a.yaml': group('a', {
        '«r': `${quiet}, ${when('{ fact: domain.tld_risk_level, operator: in, value: [low, medium, high] }')}`,
      }),
    },
  },
  {
    code: 'never_true',
    mistake: 'a level that is off and that no score reaches',
    files: {
      'decision.yaml': `${DECISION.replace(
        'levels:\n',
        'levels:\n  - { id: «x, mode: off, description: X., event: { type: level, params: { level: high } }, conditions: { all: [{ fact: risk_score, operator: greaterThan, value: 100 }] } }\n',
      )}`,
    },
  },
  {
    code: 'always_true',
    mistake: 'a level from 0 on',
    files: {
      'decision.yaml': DECISION.replace('id: level_medium', 'id: «level_medium').replace(
        'value: 30',
        'value: 0',
      ),
    },
  },
  {
    code: 'duplicate_condition',
    mistake: 'one condition twice, written in two ways',
    files: {
      'a.yaml': group('a', {
        r: `${points(1)}, ${when(is('mx.outcome', 'mx'), is('domain.is_role_account', true))}`,
        '«s': `${points(2)}, ${when('{ not: { fact: domain.is_role_account, operator: equal, value: false } }', '{ fact: mx.outcome, operator: in, value: [mx] }')}`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'duplicate_condition',
    mistake: 'one condition twice',
    files: {
      'a.yaml': group('a', { r: `${points(1)}, ${DISPOSABLE}`, '«s': `${points(2)}, ${DISPOSABLE}` }),
      'tests/a.yaml': `- { name: x, facts: {}, expect: { not_fired: [r, s] } }\n- { name: y, facts: {}, expect: { fired: [r, s] } }`,
    },
  },
];
