import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { type CollectFacts, runRuleTests } from '../../src/rules/rule-tests.ts';
import { catalogue } from './catalogue.ts';
import { group, is, lint, NOW, points, when } from './rules-directory.ts';

const RULES = group('a', {
  disposable: `${points(80)}, ${when(is('domain.is_known_disposable', true))}`,
  ghost: `${points(5, 'shadow')}, ${when(is('domain.is_known_disposable', true))}`,
});

async function run(tests: string, collectFacts?: CollectFacts) {
  const { definitions, problems } = lint({ 'a.yaml': RULES, 'tests/decision.yaml': tests });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const ruleSet = compileRuleSet(definitions, catalogue, NOW);
  return runRuleTests(ruleSet, definitions.tests, catalogue, collectFacts);
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

  it('take an address that nobody would look at for all that a test leaves out', async () => {
    const report = await run('- { name: plain, facts: {}, expect: { score: 0, action: ALLOW, level: low } }');
    expect(report.failed).toBe(0);
  });

  it('say what was expected and what came, with the decision to explain it', async () => {
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

  it('with an address begin with its own signals, and stated facts come before them', async () => {
    const collect: CollectFacts = (email) => ({ 'domain.is_known_disposable': email.endsWith('@bad.test') });
    const tests = `- { name: own, email: x@bad.test, expect: { fired: [disposable] } }
- { name: stated, email: x@bad.test, facts: { domain.is_known_disposable: false }, expect: { score: 0 } }
`;
    expect((await run(tests, collect)).failed).toBe(0);
  });

  it('with an address fail and say so where signals cannot be collected', async () => {
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
