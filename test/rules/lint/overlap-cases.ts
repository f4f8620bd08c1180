import { DECISION, group, is, points, when } from '../rules-directory.ts';
import { condition, DISPOSABLE, type LintCase, rule, tested } from './lint-case.ts';

const hosts = (operator: string, value: unknown) =>
  `{ fact: mx.host_count, operator: ${operator}, value: ${value} }`;
const marked = (comparison: string) => comparison.replace('fact: ', 'fact: «');
const SIBLINGS = '{ fact: disposable.listed_siblings }';

const idle = (mistake: string, text: string): LintCase => ({
  code: 'subsumed_condition',
  mistake,
  files: condition(text),
});

/** Parts of conditions, and rules, that say what another says already. */
export const OVERLAP_CASES: readonly LintCase[] = [
  idle('above 5 and above 3', `{ all: [${hosts('greaterThan', 5)}, ${marked(hosts('greaterThan', 3))}] }`),
  idle('above 3 and above 5', `{ all: [${marked(hosts('greaterThan', 3))}, ${hosts('greaterThan', 5)}] }`),
  idle('above 5 or above 3', `{ any: [${marked(hosts('greaterThan', 5))}, ${hosts('greaterThan', 3)}] }`),
  idle(
    'from 4 on and above 3',
    `{ all: [${hosts('greaterThan', 3)}, ${marked(hosts('greaterThanInclusive', 4))}] }`,
  ),
  idle('one comparison twice', `{ all: [${is('domain.has_mx', true)}, ${is('«domain.has_mx', true)}] }`),
  idle(
    'a word and a list with it',
    `{ all: [${is('mx.outcome', 'mx')}, { fact: «mx.outcome, operator: in, value: [mx, nxdomain] }] }`,
  ),
  idle(
    'a word and not another',
    `{ all: [${is('mx.outcome', 'mx')}, { fact: «mx.outcome, operator: notEqual, value: nxdomain }] }`,
  ),
  idle(
    'an any that stands beside one of its parts',
    `{ all: [${is('domain.has_mx', true)}, { any: [${is('«domain.has_mx', true)}, ${is('entropy.suspicious', true)}] }] }`,
  ),
  idle(
    'within an any within an all',
    `{ all: [${is('entropy.suspicious', true)}, { any: [${hosts('lessThan', 3)}, ${marked(hosts('equal', 1))}] }] }`,
  ),
  idle('within a not', `{ not: { any: [${hosts('lessThan', 5)}, ${marked(hosts('lessThan', 3))}] } }`),
  idle(
    'two facts, above and not below',
    `{ all: [${hosts('greaterThan', SIBLINGS)}, ${marked(hosts('greaterThanInclusive', SIBLINGS))}] }`,
  ),
  idle(
    'a chain of three facts',
    `{ all: [${hosts('greaterThan', SIBLINGS)}, { fact: disposable.listed_siblings, operator: greaterThan, value: { fact: syntax.fault_count } }, ${marked(hosts('greaterThan', '{ fact: syntax.fault_count }'))}] }`,
  ),
  {
    code: 'subsumed_condition',
    mistake: 'a threshold and a number below it',
    files: {
      'a.yaml': `thresholds: { busy: { value: 3, description: Busy. } }\n${group('a', {
        r: `${points(1, 'off')}, ${when(hosts('greaterThan', '{ fact: threshold.busy }'), marked(hosts('greaterThan', 2)))}`,
      })}`,
    },
  },
  {
    code: 'duplicate_value',
    mistake: 'a word twice in a list',
    files: condition('{ all: [{ fact: mx.outcome, operator: in, value: [mx, nxdomain, «mx] }] }'),
  },
  {
    code: 'duplicate_rule',
    mistake: 'same condition, same points',
    files: {
      'a.yaml': group('a', { r: `${points(3)}, ${DISPOSABLE}`, '«s': `${points(3)}, ${DISPOSABLE}` }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'duplicate_rule',
    mistake: 'in another file, a not in place of the opposite',
    files: {
      'a.yaml': group('a', { r: `${points(3)}, ${when(hosts('lessThan', 3))}` }),
      'b.yaml': group('b', {
        '«s': `${points(3)}, conditions: { not: ${hosts('greaterThanInclusive', 3)} }`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'subsumed_rule',
    mistake: 'BLOCK from 75 where BLOCK begins at 70',
    files: {
      'decision.yaml': `${DECISION}  - id: «far
    description: Far too high.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 75 }] }
    event: { type: action, params: { action: BLOCK } }
`,
      ...tested('far'),
    },
  },
  {
    code: 'subsumed_rule',
    mistake: 'a level that begins below',
    files: {
      'decision.yaml': DECISION.replace(
        'levels:\n',
        `levels:
  - id: «later
    description: Later.
    conditions: { all: [{ fact: risk_score, operator: greaterThan, value: 35 }] }
    event: { type: level, params: { level: medium } }
`,
      ),
      ...tested('later'),
    },
  },
  {
    code: 'subsumed_rule',
    mistake: 'denied twice',
    files: {
      'decision.yaml': `${DECISION}forced:
  - id: deny
    description: Denied.
    conditions: { all: [${is('lists.denied', true)}] }
    event: { type: force, params: { action: BLOCK } }
  - id: «deny_role
    description: Denied, a role.
    conditions: { all: [${is('lists.denied', true)}, ${is('domain.is_role_account', true)}] }
    event: { type: force, params: { action: BLOCK } }
`,
      ...tested('deny', 'deny_role'),
    },
  },
  {
    code: 'duplicate_condition',
    mistake: 'two rules that are rolled out to the same people',
    files: {
      'a.yaml': group('a', {
        r: `${points(30)}, rollout: { percent: 10, salt: both }, ${DISPOSABLE}`,
        '«s': `${points(20)}, rollout: { percent: 10, salt: both }, ${DISPOSABLE}`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a rule that is rolled out, which one that is not absorbs',
    files: {
      'a.yaml': group('a', {
        '«r': `${points(5)}, rollout: { percent: 50 }, ${DISPOSABLE}`,
        s: `${points(20)}, ${DISPOSABLE}, absorbs: [r]`,
      }),
      ...tested('r', 's'),
    },
  },
  {
    code: 'unreachable_rule',
    mistake: 'a rule that is rolled out, which one absorbs that is rolled out to the same people and more',
    files: {
      'a.yaml': group('a', {
        '«r': `${points(5)}, rollout: { percent: 10, salt: both }, ${DISPOSABLE}`,
        s: `${points(20)}, rollout: { percent: 50, salt: both }, ${DISPOSABLE}, absorbs: [r]`,
      }),
      ...tested('r', 's'),
    },
  },
];

/** What looks like one of the above and is none. */
export const DIFFERENT: readonly (readonly [string, LintCase['files']])[] = [
  [
    'a part that matters while another fact is unknown',
    rule(
      `${points(1, 'off')}, conditions: { any: [{ all: [${is('entropy.suspicious', true)}, ${is('domain.has_mx', true)}] }, { all: [${is('entropy.suspicious', true)}, ${is('domain.has_mx', false)}] }] }`,
    ),
  ],
  [
    'every word of a list that may be unknown: it says that the fact is known',
    rule(
      `${points(1, 'off')}, ${when(is('entropy.suspicious', true), '{ fact: mx.provider, operator: in, value: [other, google, microsoft] }')}`,
    ),
  ],
  [
    'a number that need not be whole, between 2 and 3',
    rule(
      `${points(1, 'off')}, ${when('{ fact: entropy.score, operator: greaterThan, value: 2 }', '{ fact: entropy.score, operator: lessThan, value: 3 }')}`,
    ),
  ],
  [
    'a narrower rule with points of its own',
    {
      'a.yaml': group('a', {
        r: `${points(3)}, ${when(hosts('greaterThan', 3))}`,
        s: `${points(3)}, ${when(hosts('greaterThan', 5))}`,
      }),
      ...tested('r', 's'),
    },
  ],
  [
    'the condition of a rule that is rolled out, on one that is not',
    {
      'a.yaml': group('a', {
        r: `${points(30)}, rollout: { percent: 10 }, ${DISPOSABLE}`,
        s: `${points(20)}, ${DISPOSABLE}`,
      }),
      ...tested('r', 's'),
    },
  ],
  [
    'the condition of two rules that are rolled out to other people',
    {
      'a.yaml': group('a', {
        r: `${points(30)}, rollout: { percent: 10 }, ${DISPOSABLE}`,
        s: `${points(20)}, rollout: { percent: 10 }, ${DISPOSABLE}`,
      }),
      ...tested('r', 's'),
    },
  ],
  [
    'a rule that one absorbs which is rolled out',
    {
      'a.yaml': group('a', {
        r: `${points(5)}, ${DISPOSABLE}`,
        s: `${points(20)}, rollout: { percent: 99 }, ${DISPOSABLE}, absorbs: [r]`,
      }),
      ...tested('r', 's'),
    },
  ],
  [
    'a rule that has room below the cap where another is not rolled out to',
    {
      'a.yaml': group(
        'a',
        {
          r: `${points(20)}, rollout: { percent: 99 }, ${DISPOSABLE}`,
          s: `${points(5)}, ${when(is('domain.is_known_disposable', true), is('domain.is_role_account', true))}`,
        },
        20,
      ),
      ...tested('r', 's'),
    },
  ],
  [
    'a rule in shadow, and one that is off, with the condition of a live one',
    {
      'a.yaml': group('a', {
        r: `${points(3)}, ${DISPOSABLE}`,
        s: `${points(3, 'shadow')}, ${DISPOSABLE}`,
        t: `${points(3, 'off')}, ${DISPOSABLE}`,
      }),
      ...tested('r'),
    },
  ],
  [
    'an ALLOW within what is denied',
    {
      'decision.yaml': `${DECISION}forced:
  - id: deny
    description: Denied.
    conditions: { all: [${is('lists.denied', true)}] }
    event: { type: force, params: { action: BLOCK } }
  - id: allow
    description: Denied, and allowed.
    conditions: { all: [${is('lists.denied', true)}, ${is('lists.allowed', true)}] }
    event: { type: force, params: { action: ALLOW } }
`,
      ...tested('deny', 'allow'),
    },
  ],
];
