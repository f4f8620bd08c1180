import { isExpired, type Rule, type RuleTest } from '../definitions.ts';
import { comparisonsOf, factsRead } from '../negation-normal-form.ts';
import type { ProblemList } from '../problem.ts';
import type { ReadableFacts } from './readable-facts.ts';

/** What works and still deserves a look. */
export function checkCare(
  rules: readonly Rule[],
  facts: ReadableFacts,
  now: number,
  problems: ProblemList,
): void {
  for (const rule of rules) {
    if (isExpired(rule, now)) {
      problems.report('expired', rule.place, `${rule.id} has expired: it acts as off`);
    }
    warnOfFacts(rule, facts, problems);
  }
}

/** A live rule has a test that names it in `fired` and one that names it in `not_fired`. */
export function checkTested(
  rules: readonly Rule[],
  tests: readonly RuleTest[],
  now: number,
  problems: ProblemList,
): void {
  const fired = new Set(tests.flatMap(({ expect }) => expect.fired));
  const notFired = new Set(tests.flatMap(({ expect }) => expect.notFired));
  for (const rule of rules) {
    if (rule.mode !== 'live' || isExpired(rule, now)) continue;
    const missing = [
      ...(fired.has(rule.id) ? [] : ['in which it fires']),
      ...(notFired.has(rule.id) ? [] : ['in which it does not']),
    ];
    if (missing.length > 0) {
      problems.report('untested_rule', rule.place, `${rule.id} has no test ${missing.join(', and none ')}`);
    }
  }
}

export function checkThresholdsUsed(facts: ReadableFacts, problems: ProblemList): void {
  for (const { name, place } of facts.unreadThresholds()) {
    problems.report('unused_threshold', place, `no condition reads threshold.${name}`);
  }
}

function warnOfFacts(rule: Rule, facts: ReadableFacts, problems: ProblemList): void {
  const seen = new Set<string>();
  for (const comparison of comparisonsOf(rule.conditions)) {
    for (const id of factsRead(comparison)) {
      const fact = facts.find(id);
      if (!fact || seen.has(id)) continue;
      seen.add(id);
      if (fact.isPersonal) {
        const message = `${rule.id} reads ${id}, which quotes the address: records may not keep what it saw`;
        problems.report('personal_fact', comparison.place, message);
      }
      if (fact.isDisabled && rule.mode !== 'off') {
        const message = `${rule.id} reads ${id}, whose provider is switched off: it is unknown in every check`;
        problems.report('disabled_fact', comparison.place, message);
      }
    }
  }
}
