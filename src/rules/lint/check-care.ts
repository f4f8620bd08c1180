import { isExpired, type Rule, type RuleTest } from '../definitions.ts';
import { comparisonsOf, factsRead } from '../negation-normal-form.ts';
import type { ProblemList } from '../problem.ts';
import type { ReadableFacts } from './readable-facts.ts';

/** What works and still deserves a look. */
export function checkCare(
  rules: readonly Rule[],
  tests: readonly RuleTest[],
  facts: ReadableFacts,
  now: number,
  problems: ProblemList,
): void {
  const fired = new Set(tests.flatMap(({ expect }) => expect.fired));
  const notFired = new Set(tests.flatMap(({ expect }) => expect.notFired));
  for (const rule of rules) {
    const expired = isExpired(rule, now);
    if (expired) problems.report('expired', rule.place, `${rule.id} has expired: it acts as off`);
    if (rule.mode === 'live' && !expired) {
      const missing = [
        ...(fired.has(rule.id) ? [] : ['in which it fires']),
        ...(notFired.has(rule.id) ? [] : ['in which it does not']),
      ];
      if (missing.length > 0) {
        problems.report('untested_rule', rule.place, `${rule.id} has no test ${missing.join(', and none ')}`);
      }
    }
    warnOfPersonalFacts(rule, facts, problems);
  }
}

function warnOfPersonalFacts(rule: Rule, facts: ReadableFacts, problems: ProblemList): void {
  const seen = new Set<string>();
  for (const comparison of comparisonsOf(rule.conditions)) {
    for (const id of factsRead(comparison)) {
      if (seen.has(id) || !facts.find(id)?.isPersonal) continue;
      seen.add(id);
      const message = `${rule.id} reads ${id}, which quotes the address: records may not keep what it saw`;
      problems.report('personal_fact', comparison.place, message);
    }
  }
}
