import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { idOf } from '../../src/lists/list-store.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import { runRuleTests } from '../../src/rules/rule-tests.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');

describe('the shipped rules, with the shipped providers', async () => {
  const { enabled } = await discoverProviders({ enabled: null, paths: [] });
  const { catalogue } = planCollection(enabled);
  const sources = await readRuleSources(fileURLToPath(new URL('../../rules', import.meta.url)));
  const { problems, definitions } = lintRules(sources, catalogue, { now: NOW });

  it('pass lint without a warning', () => {
    expect(problems.map(formatProblem)).toEqual([]);
  });

  it('pass their own tests', async () => {
    if (!definitions) throw new Error('lint found errors');
    const ruleSet = compileRuleSet(definitions, NOW);
    const report = await runRuleTests(() => ruleSet, definitions.tests, catalogue);
    expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
    expect(report.passed).toBe(definitions.tests.length);
    expect(report.passed).toBeGreaterThan(30);
  });

  const signals = sources.files['signals.yaml'] ?? '';
  const votes = [...signals.matchAll(/^ {4}([a-z_]+): \d+$/gm)].flatMap(([, id]) => id ?? []);
  const withVote = (id: string, name: string) => {
    const files = { ...sources.files, 'signals.yaml': signals.replace(`    ${id}: `, `    ${name}: `) };
    return lintRules({ ...sources, files }, catalogue, { now: NOW }).problems;
  };

  it.each(votes)('fail lint where the vote of %s is misspelt, with the intended name', (id) => {
    expect(withVote(id, `${id.slice(0, -2)}${id.at(-1)}`)).toMatchObject([
      { code: 'unknown_key', severity: 'error', file: expect.stringMatching(/signals\.yaml$/), hint: id },
    ]);
    expect(withVote(id, idOf(`https://lists.example/${id}.txt`))).toEqual([]);
  });

  it('pass lint with every provider switched off, with warnings only', () => {
    const off = planCollection([], enabled).catalogue;
    const result = lintRules(sources, off, { now: NOW });
    expect(new Set(result.problems.map(({ code }) => code))).toEqual(new Set(['disabled_fact']));
    expect(result.definitions).toBeDefined();
  });
});
