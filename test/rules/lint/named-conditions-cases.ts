import { DECISION, group, is, points } from '../rules-directory.ts';
import { type LintCase, quiet } from './lint-case.ts';

const MX = is('domain.has_mx', false);
const MANY = `{ any: [${Array.from({ length: 60 }, (_, n) => is('mx.host_count', n)).join(', ')}] }`;

/** A file that declares these conditions, with a rule that uses some. */
function file(conditions: string, uses: readonly string[], rule = quiet): string {
  const parts = uses.map((name) => `{ condition: ${name} }`).join(', ');
  const own = is('entropy.suspicious', true);
  const text = group('a', { r: `${rule}, conditions: { all: [${own}${parts && `, ${parts}`}] }` });
  return text.replace('rules:', `conditions:\n${conditions}\nrules:`);
}

const files = (conditions: string, uses: readonly string[] = ['no_mail']) => ({
  'a.yaml': file(conditions, uses),
});
const says = (conditions: string) => `{ description: D., owner: risk, conditions: ${conditions} }`;
const NO_MAIL = `  no_mail: ${says(`{ all: [${MX}] }`)}`;
const use = (conditions: string) => ({
  'a.yaml': group('a', { r: `${quiet}, conditions: ${conditions}` }).replace(
    'rules:',
    `conditions:\n${NO_MAIL}\nrules:`,
  ),
});

export const NAMED_CONDITIONS_CASES: readonly LintCase[] = [
  {
    code: 'unknown_condition',
    mistake: 'a slip in a name',
    files: files(NO_MAIL, ['no_mail', '«no_mial']),
    hint: 'no_mail',
  },
  {
    code: 'unknown_condition',
    mistake: 'the name of a condition in one that has a name',
    files: files(`${NO_MAIL}\n  both: ${says('{ any: [{ condition: «other }] }')}`),
  },
  {
    code: 'condition_cycle',
    mistake: 'a condition made of itself',
    files: files(`  no_mail: ${says('{ not: { condition: «no_mail } }')}`),
  },
  {
    code: 'unused_condition',
    mistake: 'one that no rule uses',
    files: files(`${NO_MAIL}\n  «other: ${says(`{ any: [${is('domain.is_catch_all', true)}] }`)}`),
  },
  {
    code: 'unused_condition',
    mistake: 'one that no rule uses, whose threshold is read all the same',
    files: {
      'a.yaml': `thresholds: { busy: { value: 3, description: Busy. } }\n${file(
        `  «other: ${says('{ any: [{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.busy } }] }')}`,
        [],
      )}`,
    },
  },
  {
    code: 'unused_condition',
    mistake: 'one of which only one that no rule uses is made',
    files: {
      'a.yaml': file('', []).replace('conditions:\n', `conditions:\n${NO_MAIL.replace('no_', '«no_')}`),
    },
  },
  {
    code: 'duplicate_id',
    mistake: 'one name in two files',
    files: {
      ...files(NO_MAIL),
      'b.yaml': group('b', {}).replace(
        'rules:',
        `conditions: { «no_mail: ${says(`{ any: [${is('domain.is_catch_all', true)}] }`)} }\nrules:`,
      ),
    },
    isBeyondSchema: true,
  },
  {
    code: 'duplicate_condition',
    mistake: 'two names for one condition, written otherwise',
    files: {
      ...files(
        `${NO_MAIL}\n  «nothing: ${says('{ not: { fact: domain.has_mx, operator: notEqual, value: false } }')}`,
      ),
      'b.yaml': group('b', {
        s: `${quiet}, conditions: { any: [{ condition: nothing }, ${is('domain.is_catch_all', true)}] }`,
      }),
    },
  },
  {
    code: 'bad_id',
    mistake: 'the name of a condition',
    files: { 'a.yaml': file('  «No-Mail: {}', []) },
  },
  {
    code: 'wrong_shape',
    mistake: 'conditions of a file as a list',
    files: { 'a.yaml': file('', []).replace('conditions:\n\n', 'conditions: «[]\n') },
  },
  {
    code: 'wrong_shape',
    mistake: 'a named condition that is a comparison',
    files: files(`  no_mail: ${says(`«${MX}`)}`),
    hint: 'all',
  },
  {
    code: 'wrong_shape',
    mistake: 'a name in place of a condition',
    files: use('«{ condition: no_mail }'),
    hint: 'all',
  },
  {
    code: 'wrong_shape',
    mistake: 'a number in place of a name',
    files: use('{ all: [{ condition: no_mail }, { condition: «1 }] }'),
  },
  {
    code: 'wrong_shape',
    mistake: 'a named condition without keys',
    files: files('  no_mail: «yes'),
  },
  {
    code: 'missing_key',
    mistake: 'a named condition without a description',
    files: files(`  no_mail: «{ conditions: { all: [${MX}] } }`),
  },
  {
    code: 'missing_key',
    mistake: 'a named condition without conditions',
    files: files('  no_mail: «{ description: D. }'),
  },
  {
    code: 'unknown_key',
    mistake: 'a key of rules at a named condition',
    files: files(`  no_mail: { description: D., «mode: live, conditions: { all: [${MX}] } }`),
  },
  {
    code: 'unknown_key',
    mistake: 'a key beside a name',
    files: use('{ all: [{ condition: no_mail, «because: so }] }'),
  },
  {
    code: 'mixed_condition',
    mistake: 'a name beside all',
    files: use(`{ any: [{ condition: no_mail }, «{ condition: no_mail, all: [${MX}] }] }`),
  },
  {
    code: 'mixed_condition',
    mistake: 'a name beside a comparison',
    files: use('{ any: [{ condition: no_mail }, «{ condition: no_mail, fact: domain.has_mx }] }'),
  },
  {
    code: 'unknown_fact',
    mistake: 'in a named condition',
    files: files(`  no_mail: ${says('{ all: [{ fact: «xyz, operator: equal, value: true }] }')}`),
  },
  {
    code: 'score_not_ready',
    mistake: 'the score in a named condition, of which an action is made',
    files: {
      'decision.yaml': `conditions: { high: ${says('{ all: [{ fact: «risk_score, operator: greaterThan, value: 80 }] }')} }${DECISION}  - { id: x, mode: off, description: X., event: { type: action, params: { action: BLOCK } }, conditions: { all: [{ condition: high }] } }\n`,
    },
  },
  {
    code: 'level_reads_fact',
    mistake: 'a level by the name of a condition',
    files: {
      ...files(NO_MAIL),
      'decision.yaml': DECISION.replace(
        'levels:\n',
        'levels:\n  - { id: x, mode: off, description: X., event: { type: level, params: { level: high } }, conditions: { all: [{ condition: «no_mail }] } }\n',
      ),
    },
  },
  {
    code: 'negative_points_unknown',
    mistake: 'trust in what may be unknown, by a name and another',
    files: {
      'a.yaml': file(
        `${NO_MAIL}\n  mail: ${says('{ not: { condition: no_mail } }')}`,
        ['«mail'],
        points(-10, 'off'),
      ),
    },
  },
  {
    code: 'personal_fact',
    mistake: 'by a name',
    files: files(`  no_mail: ${says(`{ all: [${is('typo.suggestion', 'some')}] }`)}`, ['«no_mail']),
  },
  {
    code: 'counted_twice',
    mistake: 'by its name, and written out',
    files: use(
      `{ at_least: { count: 2, of: [${MX}, ${is('entropy.suspicious', true)}, { condition: «no_mail }] } }`,
    ),
  },
  {
    code: 'large_condition',
    mistake: 'made of four that are not',
    files: {
      'a.yaml': file(
        `  one: ${says(MANY)}\n  «four: ${says(`{ any: [${Array(4).fill('{ condition: one }').join(', ')}] }`)}`,
        ['one', 'four'],
      ),
    },
  },
  {
    code: 'never_true',
    mistake: 'a named condition, told once',
    files: files(
      `  «no_mail: ${says(`{ all: [${MX}, ${is('domain.has_mx', true)}] }`)}\n  also: ${says(`{ any: [{ condition: no_mail }, ${is('domain.is_catch_all', true)}] }`)}`,
      ['no_mail', 'also'],
    ),
  },
  {
    code: 'always_true',
    mistake: 'a named condition, told once',
    files: files(`  «no_mail: ${says(`{ any: [${MX}, ${is('domain.has_mx', true)}] }`)}`),
  },
  {
    code: 'subsumed_condition',
    mistake: 'a part of a named condition, told once',
    files: files(
      `  no_mail: ${says(`{ all: [${MX}, { not: { fact: «domain.has_mx, operator: equal, value: true } }] }`)}`,
    ),
  },
  {
    code: 'subsumed_condition',
    mistake: 'a name beside what says more',
    files: use(`{ all: [${MX}, ${is('entropy.suspicious', true)}, { condition: «no_mail }] }`),
  },
];
