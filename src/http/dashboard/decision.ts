import { ACTIONS, type Decision, LEVELS, presentSummary } from '../../rules/decision.ts';
import { describeSide, type SideOfRollout } from '../../rules/rollout.ts';
import { closed, FLAG, INTEGER, listOf, named, nullable, record, SCORE, TEXT } from '../json-types.ts';

export const ACTION = { type: 'string', enum: ACTIONS } as const;
export const LEVEL = { type: 'string', enum: LEVELS } as const;
const NOTHING = { const: 0 } as const;

/** A fact's value; null is unknown. */
export const FACT_VALUE = { type: ['boolean', 'number', 'string', 'null'] } as const;

export const FACTS = named('facts', { type: 'object', additionalProperties: FACT_VALUE });

/** Why a fact or provider is unknown, by its id. */
export const REASONS = { type: 'object', additionalProperties: TEXT } as const;

const entry = <const K extends string, const P extends Readonly<Record<string, object>>>(kind: K, parts: P) =>
  closed({ kind: { const: kind }, ...parts });

/** One line of the account of a decision; the points of all sum to the score. */
export const LEDGER_ENTRY = named('ledger_entry', {
  anyOf: [
    entry('force', { points: NOTHING, id: TEXT, action: ACTION, saw: FACTS }),
    entry('rule', { points: INTEGER, id: TEXT, group: TEXT, saw: FACTS }),
    entry('absorbed', { points: INTEGER, id: TEXT, by: TEXT }),
    entry('cap', { points: INTEGER, group: TEXT, max_score: INTEGER }),
    entry('bound', { points: INTEGER, min: { const: 0 }, max: { const: 100 } }),
    entry('stood_aside', { points: NOTHING, id: TEXT, unknown: listOf(TEXT) }),
    entry('shadow', { points: NOTHING, id: TEXT, would_add: INTEGER, saw: FACTS }),
    entry('level', { points: NOTHING, id: nullable(TEXT), level: LEVEL, saw: FACTS }),
    entry('action', { points: NOTHING, id: nullable(TEXT), action: ACTION, saw: FACTS }),
  ],
});

/** The members that `presentSummary` returns. */
export const SUMMARY = { action: ACTION, risk_score: SCORE, risk_level: LEVEL } as const;

export const ROLLOUTS = listOf(
  record('side_of_rollout', {
    rule: TEXT,
    percent: { ...INTEGER, description: 'Of people, for whom the rule counts.' },
    inside: nullable(FLAG, 'Whether the person is one of them; null where that is not known.'),
    told: { ...TEXT, description: 'The same in words.' },
  }),
  'Of the rules in the ledger that are rolled out, on which side the person is.',
);

export function presentSides(sides: readonly SideOfRollout[]) {
  return sides.map((side) => ({ ...side, told: describeSide(side) }));
}

export const DECISION = record('decision', {
  ...SUMMARY,
  ledger: listOf(LEDGER_ENTRY),
  rollouts: ROLLOUTS,
  ruleset: TEXT,
});

export function presentDecision(decision: Decision, sides: readonly SideOfRollout[]) {
  const { ledger, ruleset } = decision;
  return { ...presentSummary(decision), ledger, rollouts: presentSides(sides), ruleset };
}

/** The reason and the owner of an entry of the lists are shown to operators alone. */
export function shownEvidence(evidence: unknown, isOperator: boolean): Record<string, unknown> | null {
  if (typeof evidence !== 'object' || evidence === null) return null;
  const { reason: _reason, owner: _owner, ...rest } = evidence as Record<string, unknown>;
  return isOperator ? { ...evidence } : rest;
}
