import type { CompiledRule, RuleSet } from './compile.ts';
import type { Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { factValue } from './kleene.ts';
import type { Verdict } from './verdict.ts';

/** The account of a decision, in the order of `LedgerEntry`; its points sum to the score. */
export function writeLedger(ruleSet: RuleSet, verdict: Verdict, facts: Facts): readonly LedgerEntry[] {
  const { tally, action, level } = verdict;
  const sawBy = ({ reads }: CompiledRule) => seen(reads, { ruleSet, facts, score: tally.score });
  const ledger: LedgerEntry[] = [];
  for (const rule of verdict.forces) {
    ledger.push({ kind: 'force', points: 0, id: rule.id, action: rule.action, saw: sawBy(rule) });
  }
  for (const rule of verdict.points) {
    ledger.push({ kind: 'rule', points: rule.points, id: rule.id, group: rule.group, saw: sawBy(rule) });
  }
  for (const { id, by, points } of tally.absorbed) ledger.push({ kind: 'absorbed', points, id, by });
  for (const { group, points, maxScore } of tally.caps) {
    ledger.push({ kind: 'cap', points, group, max_score: maxScore });
  }
  if (tally.bound !== 0) ledger.push({ kind: 'bound', points: tally.bound, min: 0, max: 100 });
  for (const { id, unknown } of verdict.stoodAside) {
    ledger.push({ kind: 'stood_aside', points: 0, id, unknown });
  }
  for (const rule of verdict.shadows) {
    ledger.push({ kind: 'shadow', points: 0, id: rule.id, would_add: rule.points, saw: sawBy(rule) });
  }
  const scoreAlone = { [RISK_SCORE]: tally.score };
  ledger.push({
    kind: 'level',
    points: 0,
    id: level?.id ?? null,
    level: level?.level ?? 'low',
    saw: level ? sawBy(level) : scoreAlone,
  });
  // Every entry states the action of the decision: the force that set it, or each rule that did.
  for (const rule of verdict.deciders) {
    ledger.push({ kind: 'action', points: 0, id: rule.id, action, saw: sawBy(rule) });
  }
  if (verdict.deciders.length === 0) {
    ledger.push({ kind: 'action', points: 0, id: null, action, saw: scoreAlone });
  }
  return ledger;
}

interface Sight {
  readonly ruleSet: RuleSet;
  readonly facts: Facts;
  readonly score: number;
}

/** What a rule read. Looked up one by one: copying all facts for a few would cost more than the ledger. */
function seen(reads: readonly string[], { ruleSet, facts, score }: Sight): Facts {
  const saw: Record<string, Facts[string]> = {};
  for (const id of reads) {
    saw[id] = id === RISK_SCORE ? score : (ruleSet.thresholdFacts[id] ?? factValue(id, facts));
  }
  return saw;
}
