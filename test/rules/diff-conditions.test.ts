import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { diffRules } from '../../src/rules/diff-rules.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import { catalogue } from './catalogue.ts';
import { directory, group, is, NOW, points } from './rules-directory.ts';

const NO_MX = is('domain.has_mx', false);
const CATCH_ALL = is('domain.is_catch_all', true);
const ROLE = is('domain.is_role_account', true);
const SUSPICIOUS = is('entropy.suspicious', true);

interface Side {
  /** Conditions by name. */
  readonly named?: Readonly<Record<string, string>>;
  /** Conditions of a rule by id. */
  readonly rules: Readonly<Record<string, string>>;
  readonly mode?: string;
  readonly description?: string;
}

function read({ named = {}, rules, mode = 'live', description = 'Says so.' }: Side) {
  const declared = Object.entries(named).map(
    ([name, conditions]) =>
      `  ${name}: { description: ${description}, owner: risk, conditions: ${conditions} }\n`,
  );
  const section = declared.length === 0 ? '' : `conditions:\n${declared.join('')}`;
  const texts = Object.entries(rules).map(([id, conditions]) => [
    id,
    `${points(20, mode)}, conditions: ${conditions}`,
  ]);
  const files = { 'a.yaml': `${section}${group('a', Object.fromEntries(texts))}` };
  const { definitions, problems } = lintRules(directory(files), catalogue, { now: NOW });
  if (!definitions) throw new Error(problems.map(formatProblem).join('\n'));
  return { definitions, hash: compileRuleSet(definitions, NOW).hash };
}

/** `decides` must agree with the hash in every test. */
function diff(one: Side, other: Side) {
  const [before, after] = [read(one), read(other)];
  const changes = diffRules(before.definitions, after.definitions, NOW);
  expect(changes.some(({ decides }) => decides)).toBe(before.hash !== after.hash);
  return changes;
}

const uses = (...names: readonly string[]) =>
  `{ all: [${[...names.map((name) => `{ condition: ${name} }`), SUSPICIOUS].join(', ')}] }`;
const PART = {
  what: 'condition',
  before: ['domain.has_mx equal false'],
  after: ['domain.is_catch_all equal true'],
};

describe('the difference of named conditions', () => {
  it('is shown once, with the rules that use it, also under another name', () => {
    const side = (part: string): Side => ({
      named: { dead: `{ any: [${part}] }`, odd: `{ all: [{ condition: dead }, ${ROLE}] }` },
      rules: { first: uses('dead'), second: uses('odd'), third: `{ all: [${ROLE}] }` },
    });
    expect(diff(side(NO_MX), side(CATCH_ALL))).toEqual([
      {
        ...{ subject: 'condition', id: 'dead', change: 'changed', decides: true },
        details: [PART],
        concerns: ['first', 'second'],
      },
    ]);
  });

  it('does not decide where an inline condition gets a name, or a name is replaced by its condition', () => {
    const written: Side = { rules: { first: `{ all: [${NO_MX}, ${CATCH_ALL}, ${SUSPICIOUS}] }` } };
    const named: Side = {
      named: { dead: `{ all: [${NO_MX}, ${CATCH_ALL}] }` },
      rules: { first: uses('dead') },
    };
    const details = [
      {
        what: 'condition',
        before: [],
        after: ['all(domain.has_mx equal false; domain.is_catch_all equal true)'],
      },
      { what: 'description', before: null, after: 'Says so.' },
      { what: 'owner', before: null, after: 'risk' },
    ];
    expect(diff(written, named)).toEqual([
      {
        ...{ subject: 'condition', id: 'dead', change: 'added', decides: false },
        details,
        concerns: ['first'],
      },
    ]);
    expect(diff(named, written)).toMatchObject([{ id: 'dead', change: 'removed', decides: false }]);
  });

  it('is a new name where the condition is the same, which does not decide', () => {
    const side = (name: string): Side => ({
      named: { [name]: `{ any: [${NO_MX}, ${ROLE}] }` },
      rules: { first: uses(name) },
    });
    expect(diff(side('dead'), side('unread'))).toEqual([
      {
        ...{ subject: 'condition', id: 'unread', change: 'renamed', decides: false },
        details: [{ what: 'id', before: 'dead', after: 'unread' }],
        concerns: ['first'],
      },
    ]);
  });

  it('is shown at the rule where the rule itself has changed', () => {
    const named = { dead: `{ any: [${NO_MX}] }` };
    const changes = diff(
      { named, rules: { first: uses('dead') } },
      { named, rules: { first: `{ all: [{ condition: dead }, ${ROLE}] }` } },
    );
    expect(changes).toMatchObject([
      {
        ...{ subject: 'rule', id: 'first', change: 'changed', decides: true },
        details: [
          { before: ['entropy.suspicious equal true'], after: ['domain.is_role_account equal true'] },
        ],
      },
    ]);
  });

  it('does not decide where the rules that used it do not change, or none is in force', () => {
    const before: Side = { named: { dead: `{ any: [${NO_MX}] }` }, rules: { first: uses('dead') } };
    const after: Side = {
      named: { dead: `{ any: [${CATCH_ALL}] }` },
      rules: { first: `{ all: [${NO_MX}, ${SUSPICIOUS}] }` },
    };
    expect(diff(before, after)).toMatchObject([{ id: 'dead', change: 'changed', decides: false }]);
    const off = (part: string): Side => ({
      named: { dead: `{ any: [${part}] }` },
      rules: { first: uses('dead') },
      mode: 'off',
    });
    expect(diff(off(NO_MX), off(CATCH_ALL))).toEqual([
      {
        ...{ subject: 'condition', id: 'dead', change: 'changed', decides: false },
        details: [PART],
        concerns: [],
      },
    ]);
  });

  it('shows a changed description, which does not decide', () => {
    const side = (description: string): Side => ({
      named: { dead: `{ any: [${NO_MX}] }` },
      rules: { first: uses('dead') },
      description,
    });
    expect(diff(side('One.'), side('Two.'))).toMatchObject([
      { id: 'dead', decides: false, details: [{ what: 'description', before: 'One.', after: 'Two.' }] },
    ]);
  });

  it('is empty where an inline part is replaced by a condition of the same content', () => {
    const whole = `{ all: [${NO_MX}, ${ROLE}] }`;
    const rules = { first: uses('odd'), second: uses('dead') };
    const named = { dead: `{ any: [${NO_MX}] }` };
    expect(
      diff(
        { named: { ...named, odd: whole }, rules },
        { named: { ...named, odd: `{ all: [{ condition: dead }, ${ROLE}] }` }, rules },
      ),
    ).toEqual([]);
  });
});
