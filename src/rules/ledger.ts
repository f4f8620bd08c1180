import type { Action, Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { factValue, type PartialEvidence } from './kleene.ts';
import { isNamedList } from './named-list.ts';
import { ROLLOUT_BUCKET } from './rollout.ts';
import type { CompiledForce, CompiledLevel, CompiledPoints, CompiledRule, RuleSet } from './rule-set.ts';
import type { Tally } from './score.ts';

/**
 * A decision without the values that its ledger quotes. It depends only on the rule set, on which comparisons
 * hold, and on which facts are unknown. Lists of rules are sorted by id.
 */
export interface Verdict {
  readonly forces: readonly CompiledForce[];
  readonly points: readonly CompiledPoints[];
  readonly shadows: readonly CompiledPoints[];
  readonly tally: Tally;
  /** Rules that unknown facts left open, and which facts. */
  readonly stoodAside: readonly { readonly id: string; readonly unknown: readonly string[] }[];
  readonly level: CompiledLevel | undefined;
  /** The rules that gave the action; none when it is ALLOW because nothing fired. */
  readonly deciders: readonly CompiledRule[];
  readonly action: Action;
}

/** The account of a decision: its points sum to the score. Throws where a fact that a rule reads is missing. */
export function writeLedger(
  { constants }: Pick<RuleSet, 'constants'>,
  { forces, points, shadows, tally, stoodAside, level, deciders, action }: Verdict,
  facts: Facts,
): readonly LedgerEntry[] {
  const scoreAlone = { [RISK_SCORE]: tally.score };
  const settled: PartialEvidence = { ...constants, ...scoreAlone };
  const sawOf = ({ reads }: CompiledRule): Facts => {
    const saw: Record<string, Facts[string]> = {};
    for (const id of reads) {
      const constant = settled[id];
      // Lists are left out: the fact looked up is shown. The bucket is left out: the entry's kind shows the side of the rollout.
      if (isNamedList(constant) || id === ROLLOUT_BUCKET) continue;
      saw[id] = constant ?? factValue(id, facts);
    }
    return saw;
  };
  const ledger: LedgerEntry[] = [];
  for (const rule of forces) {
    ledger.push({ kind: 'force', points: 0, id: rule.id, action: rule.action, saw: sawOf(rule) });
  }
  for (const rule of points) {
    ledger.push({ kind: 'rule', points: rule.points, id: rule.id, group: rule.group, saw: sawOf(rule) });
  }
  for (const { id, by, points } of tally.absorbed) ledger.push({ kind: 'absorbed', points, id, by });
  for (const { group, points, maxScore } of tally.caps) {
    ledger.push({ kind: 'cap', points, group, max_score: maxScore });
  }
  if (tally.bound !== 0) ledger.push({ kind: 'bound', points: tally.bound, min: 0, max: 100 });
  for (const { id, unknown } of stoodAside) ledger.push({ kind: 'stood_aside', points: 0, id, unknown });
  for (const rule of shadows) {
    ledger.push({ kind: 'shadow', points: 0, id: rule.id, would_add: rule.points, saw: sawOf(rule) });
  }
  ledger.push(
    level
      ? { kind: 'level', points: 0, id: level.id, level: level.level, saw: sawOf(level) }
      : { kind: 'level', points: 0, id: null, level: 'low', saw: scoreAlone },
  );
  // One entry for each rule that set the action: the force, or every action rule that fired.
  for (const rule of deciders)
    ledger.push({ kind: 'action', points: 0, id: rule.id, action, saw: sawOf(rule) });
  if (deciders.length === 0) ledger.push({ kind: 'action', points: 0, id: null, action, saw: scoreAlone });
  return ledger;
}

/** What a ledger entry rests on, in the same words everywhere: `domain.has_mx=false`, `replaced by no_mail`. */
export function describeEntry(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'rule':
      return describeValues(entry.saw);
    case 'force':
    case 'action':
      return because(entry.action, entry.saw);
    case 'level':
      return because(entry.level, entry.saw);
    case 'absorbed':
      return `replaced by ${entry.by}`;
    case 'cap':
      return `the group counts up to ${entry.max_score}`;
    case 'bound':
      return `kept within ${entry.min} to ${entry.max}`;
    case 'stood_aside':
      return `unknown: ${entry.unknown.join(', ')}`;
    case 'shadow':
      return `would add ${entry.would_add > 0 ? '+' : ''}${entry.would_add}: ${describeValues(entry.saw)}`;
  }
}

function because(outcome: string, saw: Facts): string {
  const facts = describeValues(saw);
  return facts === '' ? outcome : `${outcome}: ${facts}`;
}

/** `domain.has_mx=false, mx.outcome=nxdomain` */
export function describeValues(facts: Facts): string {
  return Object.entries(facts)
    .map(([id, value]) => `${id}=${value ?? 'unknown'}`)
    .join(', ');
}
