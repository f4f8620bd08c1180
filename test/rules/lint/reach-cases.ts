import { DECISION, group, is, points, when } from '../rules-directory.ts';
import { DISPOSABLE, type LintCase, tested } from './lint-case.ts';

const ROLE = is('domain.is_role_account', true);
const BAD = is('domain.is_known_disposable', true);

/** The group beside them gives 0, 40 or 80. */
export const REACH_CASES: readonly LintCase[] = [
  {
    code: 'unreachable_rule',
    mistake: 'the cap is full without it',
    files: {
      'a.yaml': group(
        'a',
        { r: `${points(20)}, ${DISPOSABLE}`, '«s': `${points(5)}, ${when(BAD, ROLE)}` },
        20,
      ),
      ...tested('r', 's'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'one of two others fills the cap, whichever fires',
    files: {
      'a.yaml': group(
        'a',
        {
          r: `${points(20)}, ${when(is('domain.is_catch_all', true))}`,
          s: `${points(20)}, ${when('{ fact: mx.host_count, operator: greaterThan, value: 3 }')}`,
          '«t': `${points(5)}, conditions: { any: [{ all: [${ROLE}, ${is('domain.is_catch_all', true)}] }, { all: [${ROLE}, { fact: mx.host_count, operator: greaterThan, value: 5 }] }] }`,
        },
        20,
      ),
      ...tested('r', 's', 't'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a group that counts up to 0',
    files: { 'a.yaml': group('a', { '«r': `${points(5)}, ${DISPOSABLE}` }, 0), ...tested('r') },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a composite that fires whenever it does',
    files: {
      'a.yaml': group('a', {
        '«r': `${points(5)}, ${when(BAD, ROLE)}`,
        s: `${points(20)}, ${DISPOSABLE}, absorbs: [r]`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a forced BLOCK within a forced ALLOW',
    files: {
      'decision.yaml': `${DECISION}forced:
  - id: allow
    description: A role.
    conditions: { all: [${ROLE}] }
    event: { type: force, params: { action: ALLOW } }
  - id: «deny
    description: A role that is denied.
    conditions: { all: [${ROLE}, ${is('lists.denied', true)}] }
    event: { type: force, params: { action: BLOCK } }
`,
      ...tested('allow', 'deny'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a BLOCK by what is forced already',
    files: {
      'decision.yaml': `${DECISION}  - id: «denied_role
    description: A role that is denied.
    conditions: { all: [${ROLE}, ${is('lists.denied', true)}] }
    event: { type: action, params: { action: BLOCK } }
forced:
  - id: deny
    description: Denied.
    conditions: { all: [${is('lists.denied', true)}] }
    event: { type: force, params: { action: BLOCK } }
`,
      ...tested('denied_role', 'deny'),
    },
  },
  {
    code: 'points_over_cap',
    mistake: 'more points than its group counts',
    files: { 'a.yaml': group('a', { '«r': `${points(20)}, ${DISPOSABLE}` }, 15), ...tested('r') },
  },
  {
    code: 'unreachable_score',
    mistake: 'BLOCK above what all rules give',
    files: {
      'decision.yaml': DECISION.replace(/id: (block\n.*\n.*value: )70/, (_, head) => `id: «${head}81`),
    },
  },
  {
    code: 'unreachable_score',
    mistake: 'a level above what all rules give',
    files: { 'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high').replace('70', '81') },
  },
  {
    code: 'unreachable_score',
    mistake: 'a level between two scores',
    files: {
      'decision.yaml': DECISION.replace('id: level_medium', 'id: «level_medium').replace('30', '41'),
    },
  },
  {
    code: 'unreachable_score',
    mistake: 'a level above what rules give that exclude one another',
    files: {
      'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high').replace('70', '91'),
      'a.yaml': group('a', {
        r: `${points(10)}, ${when(is('mx.outcome', 'mx'))}`,
        s: `${points(5)}, ${when(is('mx.outcome', 'nxdomain'))}`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'level_gap',
    mistake: 'no medium',
    files: {
      'decision.yaml': DECISION.replace('id: level_high', 'id: «level_high').replace(
        /^ {2}- id: level_medium\n.*\n.*\n.*\n/m,
        '',
      ),
      'tests/decision.yaml': tested('level_high', 'block')['tests/a.yaml'],
    },
  },
  {
    code: 'level_gap',
    mistake: 'a high that is off',
    files: {
      'decision.yaml': DECISION.replace('id: level_medium', 'id: «level_medium').replace(
        'description: High.',
        'description: High.\n    mode: off',
      ),
    },
  },
  {
    code: 'action_gap',
    mistake: 'the one action is off',
    files: {
      'decision.yaml': DECISION.replace('  - id: block', '  «- id: block').replace(
        'description: Too high.',
        'description: Too high.\n    mode: off',
      ),
    },
  },
  {
    code: 'action_gap',
    mistake: 'no action, beside a forced BLOCK',
    files: {
      'decision.yaml': `${DECISION.replace(/^actions:.*/ms, 'actions: «[]\n')}forced:
  - id: deny
    description: Denied.
    conditions: { all: [${is('lists.denied', true)}] }
    event: { type: force, params: { action: BLOCK } }
`,
      'tests/decision.yaml': tested('level_medium', 'level_high', 'deny')['tests/a.yaml'],
    },
  },
];
