import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { type CollectFacts, coverageOf, runRuleTests } from '../../src/rules/rule-tests.ts';
import { catalogue } from './catalogue.ts';
import { group, is, lint, NOW, points, when } from './rules-directory.ts';

const RULES = group('a', {
  disposable: `${points(80)}, ${when(is('domain.is_known_disposable', true))}`,
  ghost: `${points(5, 'shadow')}, ${when(is('domain.is_known_disposable', true))}`,
});

async function run(tests: string, collectFacts?: CollectFacts) {
  const { definitions, problems } = lint({ 'a.yaml': RULES, 'tests/decision.yaml': tests });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const ruleSet = compileRuleSet(definitions, NOW);
  return runRuleTests(() => ruleSet, definitions.tests, catalogue, collectFacts);
}

describe('rule tests', () => {
  it('pass when every expectation is met, a shadow rule that fired included', async () => {
    const report = await run(
      `- name: bad
  facts: { domain.is_known_disposable: true }
  expect: { action: BLOCK, level: high, score: { min: 70, max: 90 }, fired: [disposable, ghost, block], not_fired: [level_medium] }
`.replace(', not_fired: [level_medium]', ''),
    );
    expect(report).toMatchObject({ passed: 1, failed: 0 });
  });

  it('use ordinary facts for everything that a test leaves out', async () => {
    const report = await run('- { name: plain, facts: {}, expect: { score: 0, action: ALLOW, level: low } }');
    expect(report).toMatchObject({ passed: 1, failed: 0 });
  });

  it('report the expected and the actual result, with the decision', async () => {
    const report = await run(`- name: wrong
  facts: { domain.is_known_disposable: true }
  expect: { action: ALLOW, level: low, score: 3, fired: [level_medium], not_fired: [disposable] }
`);
    expect(report).toMatchObject({ passed: 0, failed: 1 });
    const [result] = report.results;
    const fired = 'block, disposable, ghost, level_high';
    expect(result?.failures).toEqual([
      { what: 'action', expected: 'ALLOW', actual: 'BLOCK' },
      { what: 'level', expected: 'low', actual: 'high' },
      { what: 'score', expected: '3', actual: '80' },
      { what: 'fired', expected: 'level_medium', actual: fired },
      { what: 'not_fired', expected: 'not disposable', actual: fired },
    ]);
    expect(result?.place).toEqual({ file: 'rules/tests/decision.yaml', line: 1, column: 3 });
    expect(result?.decision?.ledger[0]).toMatchObject({ kind: 'rule', id: 'disposable' });
  });

  it('with an address start with its own signals, which stated facts override', async () => {
    const collect: CollectFacts = (email) => ({ 'domain.is_known_disposable': email.endsWith('@bad.test') });
    const tests = `- { name: own, email: x@bad.test, expect: { fired: [disposable] } }
- { name: stated, email: x@bad.test, facts: { domain.is_known_disposable: false }, expect: { score: 0 } }
`;
    expect(await run(tests, collect)).toMatchObject({ passed: 2, failed: 0 });
  });

  it('with an address fail with a reason where signals cannot be collected', async () => {
    const tests = '- { name: own, email: x@bad.test, expect: { score: 0 } }';
    const without = await run(tests);
    expect(without.results[0]?.failures[0]).toMatchObject({
      what: 'error',
      expected: 'the signals of x@bad.test',
    });
    const failing = await run(tests, () => Promise.reject(new Error('not an address')));
    expect(failing.results[0]).toMatchObject({
      passed: false,
      failures: [{ what: 'error', actual: 'not an address' }],
    });
  });
});

const COVERED_RULES = group('a', {
  disposable: `${points(40)}, ${when(is('domain.is_known_disposable', true))}`,
  ghost: `${points(5, 'shadow')}, ${when(is('domain.has_mx', false), is('mx.outcome', 'nxdomain'))}`,
  off: `${points(5, 'off')}, ${when(is('entropy.suspicious', true))}`,
});

function coverage(...cases: readonly { readonly facts?: Facts; readonly score?: number }[]) {
  return coverageOfGroup(COVERED_RULES, ...cases);
}

/** For the rules of one group. */
function coverageOfGroup(
  text: string,
  ...cases: readonly { readonly facts?: Facts; readonly score?: number }[]
) {
  const { definitions, problems } = lint({ 'a.yaml': text });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const ruleSet = compileRuleSet(definitions, NOW);
  const rules = definitions.rules.filter(({ place }) => place.file === 'rules/a.yaml');
  return coverageOf(
    { rules, conditions: definitions.conditions },
    ruleSet,
    cases.map(({ facts = {}, score = 0 }) => ({ facts: { ...ordinaryFacts(catalogue), ...facts }, score })),
  );
}

describe('the coverage of rule tests', () => {
  it('counts the rules in force and their comparisons, and reports all as missing where there is no test', () => {
    expect(coverage()).toMatchObject({
      rules: { covered: 0, total: 2 },
      comparisons: { covered: 0, total: 3 },
      gaps: Array.from({ length: 5 }, () => ({ never: [true, false] })),
    });
  });

  it('names what was seen in one state only, as written and with its place', () => {
    const found = coverage({}, { facts: { 'domain.is_known_disposable': true, 'domain.has_mx': false } });
    expect(found.rules).toEqual({ covered: 1, total: 2 });
    expect(found.comparisons).toEqual({ covered: 2, total: 3 });
    expect(found.gaps).toEqual([
      {
        rule: 'ghost',
        condition: null,
        place: expect.objectContaining({ line: 6 }),
        comparison: null,
        never: [true],
      },
      {
        rule: 'ghost',
        condition: null,
        place: expect.objectContaining({ file: 'rules/a.yaml', line: 6 }),
        comparison: 'mx.outcome equal nxdomain',
        never: [true],
      },
    ]);
  });

  it('counts a rule that stood aside as not fired, and an unknown comparison as neither true nor false', () => {
    const ghost = coverage({ facts: { 'domain.has_mx': false, 'mx.outcome': null } }).gaps.filter(
      ({ rule }) => rule === 'ghost',
    );
    expect(ghost.map(({ comparison, never }) => [comparison, never])).toEqual([
      [null, [true]],
      ['domain.has_mx equal false', [false]],
      ['mx.outcome equal nxdomain', [true, false]],
    ]);
  });

  describe('with a condition that has a name', () => {
    const NAMED = `conditions:
  broken: { description: Says so., conditions: { any: [${is('domain.has_mx', false)}, { condition: caught }] } }
  caught: { description: Says so., conditions: { all: [${is('domain.is_catch_all', true)}] } }
  idle: { description: Says so., conditions: { all: [${is('entropy.suspicious', true)}] } }
${group('a', {
  one: `${points(40)}, ${when('{ condition: broken }', is('domain.is_role_account', true))}`,
  two: `${points(5)}, ${when('{ not: { condition: broken } }', is('domain.is_known_disposable', true))}`,
  three: `${points(5)}, ${when('{ condition: caught }')}`,
  none: `${points(5, 'off')}, ${when('{ condition: idle }')}`,
})}`;

    it('counts its comparisons once, however many rules in force use it', () => {
      expect(coverageOfGroup(NAMED).comparisons).toEqual({ covered: 0, total: 4 });
    });

    it('lists them by its name, with their places in it, below those of rules', () => {
      const { gaps } = coverageOfGroup(NAMED, { facts: { 'domain.has_mx': false } });
      expect(
        gaps.filter(({ rule }) => rule !== null).map(({ rule, comparison }) => [rule, comparison]),
      ).toEqual([
        ['one', null],
        ['one', 'domain.is_role_account equal true'],
        ['three', null],
        ['two', null],
        ['two', 'domain.is_known_disposable equal true'],
      ]);
      expect(gaps.slice(-2)).toEqual([
        {
          rule: null,
          condition: 'broken',
          place: expect.objectContaining({ file: 'rules/a.yaml', line: 2 }),
          comparison: 'domain.has_mx equal false',
          never: [false],
        },
        {
          rule: null,
          condition: 'caught',
          place: expect.objectContaining({ file: 'rules/a.yaml', line: 3 }),
          comparison: 'domain.is_catch_all equal true',
          never: [true],
        },
      ]);
    });

    it('counts them as seen true and false where tests of different rules saw one each', () => {
      const { comparisons, gaps } = coverageOfGroup(
        NAMED,
        { facts: { 'domain.has_mx': false, 'domain.is_role_account': true } },
        { facts: { 'domain.is_catch_all': true, 'domain.is_known_disposable': true } },
      );
      expect(comparisons).toEqual({ covered: 4, total: 4 });
      expect(gaps.every(({ comparison }) => comparison === null)).toBe(true);
    });
  });
});
