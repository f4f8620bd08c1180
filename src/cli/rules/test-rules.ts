import { InProcessJudge } from '../../checks/rule-judge.ts';
import { shortPath } from '../../lib/paths.ts';
import { whole } from '../../lib/statistics.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { presentSummary } from '../../rules/decision.ts';
import { formatProblem, type Place } from '../../rules/problem.ts';
import { type DegradedBreach, type DegradedProof, proveDegraded } from '../../rules/prove-degraded.ts';
import type { RuleTestReport, RuleTestResult } from '../../rules/rule-tests.ts';
import { type Coverage, type CoverageGap, coverageOf } from '../../rules/rule-tests.ts';
import { indent, renderLedger } from '../render/outcome.ts';
import { printable } from '../render/printable.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { openRules, type RulesOptions } from './open-rules.ts';

export interface TestOptions extends RulesOptions {
  readonly coverage?: boolean;
}

export async function testRules(shell: Shell, options: TestOptions): Promise<void> {
  const { report, degraded, coverage } = await runTests(shell, options);
  if (report.failed > 0 || degraded.breaches.length > 0) shell.exitCode = 1;
  if (options.json) {
    shell.json({
      passed: report.passed,
      failed: report.failed,
      results: report.results.map((result) => present(result, shell)),
      degraded: presentProof(degraded),
      coverage: presentCoverage(coverage, shell),
    });
    return;
  }
  for (const result of report.results) if (!result.passed) printFailure(shell, result);
  for (const breach of degraded.breaches) printBreach(shell, breach);
  if (options.coverage) for (const gap of coverage.gaps) printGap(shell, gap);
  shell.print(describeProof(degraded));
  shell.print(describeCoverage(coverage, options.coverage === true));
  const verdict = `${report.passed} passed, ${report.failed} failed`;
  shell.print(shell.paint(report.failed === 0 ? 'green' : 'red', verdict));
}

interface TestRun {
  readonly report: RuleTestReport;
  readonly degraded: DegradedProof;
  readonly coverage: Coverage;
}

async function runTests(shell: Shell, options: RulesOptions): Promise<TestRun> {
  const { dir, collector, providerOptions, definitions, problems, now } = await openRules(shell, options);
  if (!definitions) {
    const errors = problems.map(formatProblem);
    throw new CannotRun([`the rules in ${dir} have errors: there is nothing to test`, ...errors].join('\n'));
  }
  const ruleSet = compileRuleSet(definitions, collector.catalogue, now);
  const report = await new InProcessJudge({ collector, providerOptions }).test(ruleSet, definitions.tests);
  const cases = report.results.flatMap(({ facts, decision }) =>
    facts && decision ? [{ facts, score: decision.score }] : [],
  );
  return {
    report,
    degraded: proveDegraded(ruleSet, collector.catalogue),
    coverage: coverageOf(definitions.rules, ruleSet, cases),
  };
}

function printFailure(shell: Shell, { name, place, failures, decision }: RuleTestResult): void {
  shell.print(`${shell.paint('red', 'failed')} ${printable(`${describePlace(place, shell)} ${name}`)}`);
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
    breaches: breaches.map(({ group, facts: known, fact, value, pointsWithout, pointsWith }) => ({
      group,
      facts: known,
      fact,
      value,
      points_without: pointsWithout,
      points_with: pointsWith,
    })),
  };
}

function present({ name, place, passed, failures, decision }: RuleTestResult, shell: Shell) {
  return {
    name,
    ...presentPlace(place, shell),
    passed,
    failures,
    summary: decision ? presentSummary(decision) : null,
    ledger: decision?.ledger ?? null,
  };
}

function presentPlace({ file, line, column }: Place, shell: Shell) {
  return { file: shortPath(file, shell.cwd), line, column };
}

function describePlace({ file, line, column }: Place, shell: Shell): string {
  return `${shortPath(file, shell.cwd)}:${line}:${column}`;
}

function describeCoverage({ rules, comparisons, gaps }: Coverage, isListed: boolean): string {
  const hint = gaps.length === 0 || isListed ? '' : ' (--coverage lists the rest)';
  return `coverage: ${rules.covered} of ${rules.total} rules seen to fire and to keep quiet, ${comparisons.covered} of ${comparisons.total} comparisons seen true and false${hint}`;
}

function printGap(shell: Shell, { rule, place, comparison, never }: CoverageGap): void {
  const [yes, no] = comparison === null ? ['to fire', 'to keep quiet'] : ['true', 'false'];
  const what = comparison === null ? rule : `${rule}: ${comparison}`;
  const where = printable(`${describePlace(place, shell)} ${what}`);
  const states = never.map((is) => (is ? yes : no)).join(' nor ');
  shell.print(`${shell.paint('yellow', 'not seen')} ${where}: never ${states}`);
}

function presentCoverage({ rules, comparisons, gaps }: Coverage, shell: Shell) {
  return {
    rules,
    comparisons,
    gaps: gaps.map(({ rule, place, comparison, never }) => ({
      rule,
      ...presentPlace(place, shell),
      comparison,
      never,
    })),
  };
}
