import { expect, it } from 'vitest';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../../src/rules/problem.ts';
import type { DeclaredThresholds } from '../../../src/signals/signals.ts';
import { catalogue } from '../catalogue.ts';
import { DECISION } from '../rules-directory.ts';

const throwing = (value: unknown) => () => {
  throw value;
};

it.each([
  ['throws an error', throwing(new Error('no table')), 'no table'],
  ['throws a text', throwing('no table'), 'no table'],
  ['throws what cannot be read', throwing(Object.create(null)), 'something that cannot be read'],
  ['answers no list', () => 5, 'checkThresholds must answer a list of { path, message }'],
  ['answers a text', () => 'must rise', 'checkThresholds must answer a list of { path, message }'],
  ['answers later', () => Promise.reject(new Error('bang')), 'checkThresholds must answer a list of'],
  ['answers what is no fault', () => [null], 'checkThresholds must answer a list of { path, message }'],
  ['answers texts', () => ['must rise'], 'checkThresholds must answer a list of { path, message }'],
  ['changes them', (section: object) => Object.assign(section, { limit: 2 }), 'Cannot assign to read only'],
])(
  'a provider that %s when it checks its thresholds is a fault of its section, and the other faults are listed',
  (_how, fail, says) => {
    const check = fail as unknown as NonNullable<DeclaredThresholds['check']>;
    const schema = {
      type: 'object',
      properties: { limit: { type: 'integer' } },
      additionalProperties: false,
    };
    const thresholds = new Map([
      ['odd', { schema, check }],
      ['plain', { schema, check: undefined }],
    ]);
    const files = {
      'decision.yaml': DECISION,
      'signals.yaml': 'odd: { limit: 1 }\nplain: { limit: x }\n',
    };
    const sources = { dir: 'rules', files };
    const { problems } = lintRules(sources, { ...catalogue, thresholds }, { now: 0, onlyErrors: true });
    const told = problems.filter(({ code }) => code === 'bad_threshold').map(formatProblem);
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('rules/signals.yaml:1:6');
    expect(told[0]).toContain(`odd cannot be checked, its provider fails: ${says}`);
    expect(told[1]).toContain('plain.limit must be a whole number');
  },
);
