import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { coverageOf } from '../../src/rules/coverage.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { ordinaryFacts } from '../../src/rules/ordinary-facts.ts';
import { catalogue } from './catalogue.ts';
import { group, is, lint, NOW, points, when } from './rules-directory.ts';

const RULES = group('a', {
  disposable: `${points(40)}, ${when(is('domain.is_known_disposable', true))}`,
  ghost: `${points(5, 'shadow')}, ${when(is('domain.has_mx', false), is('mx.outcome', 'nxdomain'))}`,
  off: `${points(5, 'off')}, ${when(is('entropy.suspicious', true))}`,
});

function coverage(...cases: readonly { readonly facts?: Facts; readonly score?: number }[]) {
  const { definitions, problems } = lint({ 'a.yaml': RULES });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const ruleSet = compileRuleSet(definitions, catalogue, NOW);
  const own = definitions.rules.filter(({ id }) => ['disposable', 'ghost', 'off'].includes(id));
  return coverageOf(
    own,
    ruleSet,
    cases.map(({ facts = {}, score = 0 }) => ({ facts: { ...ordinaryFacts(catalogue), ...facts }, score })),
  );
}

describe('the coverage of rule tests', () => {
  it('counts the rules in force and their comparisons, and misses all where there is no test', () => {
    expect(coverage()).toMatchObject({
      rules: { covered: 0, total: 2 },
      comparisons: { covered: 0, total: 3 },
      gaps: Array.from({ length: 5 }, () => ({ never: [true, false] })),
    });
  });

  it('names what was seen in one state only, as written and where', () => {
    const found = coverage({}, { facts: { 'domain.is_known_disposable': true, 'domain.has_mx': false } });
    expect(found.rules).toEqual({ covered: 1, total: 2 });
    expect(found.comparisons).toEqual({ covered: 2, total: 3 });
    expect(found.gaps).toEqual([
      { rule: 'ghost', place: expect.objectContaining({ line: 6 }), comparison: null, never: [true] },
      {
        rule: 'ghost',
        place: expect.objectContaining({ file: 'rules/a.yaml', line: 6 }),
        comparison: 'mx.outcome equal nxdomain',
        never: [true],
      },
    ]);
  });

  it('takes a rule that stood aside for one that kept quiet, and an unknown comparison for neither', () => {
    const ghost = coverage({ facts: { 'domain.has_mx': false, 'mx.outcome': null } }).gaps.filter(
      ({ rule }) => rule === 'ghost',
    );
    expect(ghost.map(({ comparison, never }) => [comparison, never])).toEqual([
      [null, [true]],
      ['domain.has_mx equal false', [false]],
      ['mx.outcome equal nxdomain', [true, false]],
    ]);
  });
});
