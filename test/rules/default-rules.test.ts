import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import { readRuleSources } from '../../src/rules/rule-sources.ts';
import { runRuleTests } from '../../src/rules/rule-tests.ts';
import { catalogue } from './catalogue.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');

describe('the rules that Postern ships', async () => {
  const sources = await readRuleSources(fileURLToPath(new URL('../../rules', import.meta.url)));
  // signals.yaml is judged against the providers' own schemas, which this catalogue does not have.
  const rules = sources.rules.filter(({ name }) => name !== 'signals.yaml');
  const { problems, definitions } = lintRules({ ...sources, rules }, catalogue, { now: NOW });

  it('pass lint without a warning', () => {
    expect(problems.map(formatProblem)).toEqual([]);
  });

  it('pass their own tests', async () => {
    if (!definitions) throw new Error('lint found errors');
    const report = await runRuleTests(
      compileRuleSet(definitions, catalogue, NOW),
      definitions.tests,
      catalogue,
    );
    expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
    expect(report.passed).toBeGreaterThan(25);
  });
});
