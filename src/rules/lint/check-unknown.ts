import type { ForceRule, PointsRule, Rule } from '../definitions.ts';
import { comparisonsOf, factsRead } from '../negation-normal-form.ts';
import type { ProblemCode, ProblemList } from '../problem.ts';
import type { Declared } from './declared.ts';
import type { ReadableFacts } from './readable-facts.ts';

/**
 * What keeps the score with a fact unknown no higher than with any value it could have had: whatever takes
 * points away, or makes an answer milder, must not depend on a fact that can be unknown.
 */
export function checkUnknown(rules: readonly Rule[], facts: ReadableFacts, problems: ProblemList): void {
  for (const rule of rules) {
    if (rule.kind === 'points' && rule.points < 0) {
      const why = 'negative points would raise the score when it is unknown';
      requireKnown(rule, 'negative_points_unknown', why, facts, problems);
    }
    if (rule.kind === 'force' && rule.action === 'ALLOW') {
      const why = 'a forced ALLOW would fall away when it is unknown';
      requireKnown(rule, 'forced_allow_unknown', why, facts, problems);
    }
  }
}

function requireKnown(
  rule: PointsRule | ForceRule,
  code: ProblemCode,
  why: string,
  facts: ReadableFacts,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const comparison of comparisonsOf(rule.conditions)) {
    for (const id of factsRead(comparison)) {
      if (seen.has(id) || facts.find(id)?.isSettled !== false) continue;
      seen.add(id);
      problems.report(code, comparison.place, `${rule.id} reads ${id}, which may be unknown: ${why}`);
    }
  }
}

/**
 * A composite is worth at least what it replaces, and one that replaces another composite replaces all that
 * this one does: otherwise evidence that makes a composite fire could lower the score.
 */
export function checkAbsorption(rules: readonly Rule[], declared: Declared, problems: ProblemList): void {
  const byId = new Map(rules.filter((rule) => rule.kind === 'points').map((rule) => [rule.id, rule]));
  for (const rule of byId.values()) {
    let sum = 0;
    const seen = new Set<string>();
    for (const { id, place } of rule.absorbs) {
      const other = declared.rule(id);
      if (!other) {
        declared.reportUnknown('absorbs_unknown_rule', id, place, problems);
        continue;
      }
      if (other.kind !== 'points' || other.group !== rule.group) {
        problems.report('absorbs_other_group', place, `"${id}" is not a rule of group ${rule.group}`);
        continue;
      }
      if (id === rule.id || seen.has(id)) {
        const message = id === rule.id ? 'a rule cannot absorb itself' : `"${id}" stands here twice`;
        problems.report('absorbs_half', place, message);
        continue;
      }
      seen.add(id);
      const absorbed = byId.get(id);
      if (!absorbed) continue;
      sum += absorbed.points;
      if (absorbed.points < 0) {
        const message = `"${id}" takes points away: absorbing it would raise the score twice`;
        problems.report('absorbs_negative', place, message);
      }
      const left = absorbed.absorbs.filter((inner) => !rule.absorbs.some((own) => own.id === inner.id));
      if (left.length > 0) {
        const names = left.map((inner) => `"${inner.id}"`).join(', ');
        problems.report('absorbs_half', place, `"${id}" absorbs ${names}: absorb that as well`);
      }
    }
    const [first] = rule.absorbs;
    if (first && seen.size > 0 && sum > rule.points) {
      const message = `${rule.id} is worth ${rule.points}, less than the ${sum} that it absorbs`;
      problems.report('absorbs_too_much', first.place, message);
    }
  }
}
