import { InProcessJudge } from '../../checks/rule-judge.ts';
import { whole } from '../../lib/statistics.ts';
import { presentSummary } from '../../rules/decision.ts';
import { describePlace, type Place } from '../../rules/problem.ts';
import { type DegradedBreach, type DegradedProof, proveDegraded } from '../../rules/prove-degraded.ts';
import { type Coverage, type CoverageGap, coverageOf, type RuleTestResult } from '../../rules/rule-tests.ts';
import { indent, renderLedger } from '../render/outcome.ts';
import { printable, type Shell } from '../shell.ts';
import { compileOpened, openRules } from './open-rules.ts';

export async function testRules(
  shell: Shell,
  { coverage: isListed = false }: { readonly coverage?: boolean },
): Promise<void> {
  const opened = await openRules(shell);
  const { collector, providerOptions } = opened;
  const { ruleSet, definitions } = compileOpened(opened);
  const report = await new InProcessJudge({ collector, providerOptions }).test(definitions, opened.now);
  const { passed, failed, results } = report;
  const cases = results.flatMap(({ facts, decision }) =>
    facts && decision ? [{ facts, score: decision.score }] : [],
  );
  const degraded = proveDegraded(ruleSet, collector.catalogue);
  const coverage = coverageOf(definitions, ruleSet, cases);
  const gaps = coverage.gaps.map(({ place, ...gap }) => ({ ...gap, ...presentPlace(place) }));
  if (failed > 0 || degraded.breaches.length > 0) shell.exitCode = 1;
  const answer = {
    passed,
    failed,
    results: results.map(present),
    degraded: presentProof(degraded),
    coverage: { ...coverage, gaps },
  };
  shell.answer(answer, () => {
    for (const result of results) if (!result.passed) printFailure(shell, result);
    for (const breach of degraded.breaches) printBreach(shell, breach);
    if (isListed) for (const gap of coverage.gaps) printGap(shell, gap);
    shell.print(describeProof(degraded));
    shell.print(describeCoverage(coverage, isListed));
    shell.print(shell.paint(failed === 0 ? 'green' : 'red', `${passed} passed, ${failed} failed`));
  });
}

function printFailure(shell: Shell, { name, place, failures, decision }: RuleTestResult): void {
  shell.print(`${shell.paint('red', 'failed')} ${printable(`${describePlace(place)} ${name}`)}`);
  for (const { what, expected, actual } of failures) {
    shell.print(printable(`  ${what}: expected ${expected}, was ${actual}`));
  }
  if (decision) shell.print(`\n${indent(renderLedger(shell, decision.ledger))}\n`);
}

function describeProof({ cases, isComplete, facts, breaches }: DegradedProof): string {
  const what = isComplete ? 'all' : 'a sample of';
  const open = facts.length === 0 ? 'no rule reads a fact that can be unknown' : facts.join(', ');
  const verdict = breaches.length === 0 ? 'none scores more than with an answer' : 'not all hold';
  return `unknown facts: ${what} ${whole(cases)} cases, ${verdict} (${open})`;
}

function printBreach(shell: Shell, breach: DegradedBreach): void {
  const { group, facts, fact, value, pointsWithout, pointsWith } = breach;
  const text = `without ${fact} the group ${group} counts ${pointsWithout}, with ${fact} ${value} ${pointsWith}: ${JSON.stringify(facts)}`;
  shell.print(`${shell.paint('red', 'failed')} ${printable(text)}`);
}

function presentProof({ cases, isComplete, facts, breaches }: DegradedProof) {
  return {
    cases,
    complete: isComplete,
    facts,
    breaches: breaches.map(({ pointsWithout, pointsWith, ...breach }) => ({
      ...breach,
      points_without: pointsWithout,
      points_with: pointsWith,
    })),
  };
}

function presentPlace({ file, line, column }: Place) {
  return { file, line, column };
}

function present({ name, place, passed, failures, decision }: RuleTestResult) {
  return {
    name,
    ...presentPlace(place),
    passed,
    failures,
    summary: decision ? presentSummary(decision) : null,
    ledger: decision?.ledger ?? null,
  };
}

function describeCoverage({ rules, comparisons, gaps }: Coverage, isListed: boolean): string {
  const hint = gaps.length === 0 || isListed ? '' : ' (--coverage lists the rest)';
  return `coverage: ${rules.covered} of ${rules.total} rules seen to fire and to keep quiet, ${comparisons.covered} of ${comparisons.total} comparisons seen true and false${hint}`;
}

function printGap(shell: Shell, { rule, condition, place, comparison, never }: CoverageGap): void {
  const [yes, no] = comparison === null ? ['to fire', 'to keep quiet'] : ['true', 'false'];
  const owner = rule ?? `condition ${condition}`;
  const what = comparison === null ? owner : `${owner}: ${comparison}`;
  const where = printable(`${describePlace(place)} ${what}`);
  const states = never.map((is) => (is ? yes : no)).join(' nor ');
  shell.print(`${shell.paint('yellow', 'not seen')} ${where}: never ${states}`);
}
