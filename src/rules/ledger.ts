import type { CompiledRule, RuleSet } from './compile.ts';
import type { Outcome } from './decide.ts';
import type { Facts, LedgerEntry } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { factValue, truthOf } from './kleene.ts';

/** The account of a decision, in the order of `LedgerEntry`; its points sum to the score. */
export function writeLedger(ruleSet: RuleSet, outcome: Outcome): readonly LedgerEntry[] {
  const { facts, tally } = outcome;
  return [
    ...outcome.forces.map((rule): LedgerEntry => {
      return { kind: 'force', points: 0, id: rule.id, action: rule.action, saw: sawBy(rule, facts) };
    }),
    ...outcome.points.map((rule): LedgerEntry => {
      return { kind: 'rule', points: rule.points, id: rule.id, group: rule.group, saw: sawBy(rule, facts) };
    }),
    ...tally.absorbed.map((entry): LedgerEntry => ({ kind: 'absorbed', ...entry })),
    ...tally.caps.map(({ group, points, maxScore }): LedgerEntry => {
      return { kind: 'cap', points, group, max_score: maxScore };
    }),
    ...boundEntry(tally.bound),
    ...stoodAside(ruleSet, facts),
    ...outcome.shadows.map((rule): LedgerEntry => {
      return { kind: 'shadow', points: 0, id: rule.id, would_add: rule.points, saw: sawBy(rule, facts) };
    }),
    levelEntry(outcome),
    ...actionEntries(outcome),
  ];
}

function boundEntry(points: number): readonly LedgerEntry[] {
  return points === 0 ? [] : [{ kind: 'bound', points, min: 0, max: 100 }];
}

/** Rules that could have acted and were left open by unknown facts. Shadow rules cannot act. */
function stoodAside({ forces, points, actions }: RuleSet, facts: Facts): readonly LedgerEntry[] {
  return [...forces, ...points, ...actions]
    .flatMap(({ id, condition }): LedgerEntry[] => {
      const truth = truthOf(condition, facts);
      if (truth.is !== 'unknown') return [];
      return [{ kind: 'stood_aside', points: 0, id, unknown: [...new Set(truth.because)].sort() }];
    })
    .toSorted(byId);
}

function levelEntry({ level, facts }: Outcome): LedgerEntry {
  const saw = level ? sawBy(level, facts) : scoreAlone(facts);
  return { kind: 'level', points: 0, id: level?.id ?? null, level: level?.level ?? 'low', saw };
}

/** Every entry states the action of the decision: the force that set it, or each rule that did. */
function actionEntries({ deciders, action, facts }: Outcome): readonly LedgerEntry[] {
  if (deciders.length === 0) return [{ kind: 'action', points: 0, id: null, action, saw: scoreAlone(facts) }];
  return deciders.map((rule) => ({
    kind: 'action',
    points: 0,
    id: rule.id,
    action,
    saw: sawBy(rule, facts),
  }));
}

function sawBy({ reads }: CompiledRule, facts: Facts): Facts {
  return Object.fromEntries(reads.map((id) => [id, factValue(id, facts)]));
}

function scoreAlone(facts: Facts): Facts {
  return { [RISK_SCORE]: factValue(RISK_SCORE, facts) };
}

function byId(a: LedgerEntry, b: LedgerEntry): number {
  return 'id' in a && 'id' in b && (a.id ?? '') < (b.id ?? '') ? -1 : 1;
}
