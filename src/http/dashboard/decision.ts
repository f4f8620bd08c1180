import { ACTIONS, type Decision, LEVELS, type LedgerEntry, presentSummary } from '../../rules/decision.ts';
import { closed, listOf, named, nullable, TEXT } from './json-types.ts';

export const ACTION = { type: 'string', enum: ACTIONS } as const;
export const LEVEL = { type: 'string', enum: LEVELS } as const;
const POINTS = { type: 'integer' } as const;
const NOTHING = { const: 0 } as const;

/** A fact's value; null is unknown. */
export const FACT_VALUE = { type: ['boolean', 'number', 'string', 'null'] } as const;

/** Facts by id. */
export const FACTS = named('facts', { type: 'object', additionalProperties: FACT_VALUE });

/** By fact or provider, why it is not known. */
export const REASONS = { type: 'object', additionalProperties: TEXT } as const;

const entry = <const K extends string, const P extends Readonly<Record<string, object>>>(kind: K, parts: P) =>
  closed({ kind: { const: kind }, ...parts });

/** One line of the account of a decision; the points of all sum to the score. */
export const LEDGER_ENTRY = named('ledger_entry', {
  anyOf: [
    entry('force', { points: NOTHING, id: TEXT, action: ACTION, saw: FACTS }),
    entry('rule', { points: POINTS, id: TEXT, group: TEXT, saw: FACTS }),
    entry('absorbed', { points: POINTS, id: TEXT, by: TEXT }),
    entry('cap', { points: POINTS, group: TEXT, max_score: POINTS }),
    entry('bound', { points: POINTS, min: { const: 0 }, max: { const: 100 } }),
    entry('stood_aside', { points: NOTHING, id: TEXT, unknown: listOf(TEXT) }),
    entry('shadow', { points: NOTHING, id: TEXT, would_add: POINTS, saw: FACTS }),
    entry('level', { points: NOTHING, id: nullable(TEXT), level: LEVEL, saw: FACTS }),
    entry('action', { points: NOTHING, id: nullable(TEXT), action: ACTION, saw: FACTS }),
  ],
});

export const DECISION = named(
  'decision',
  closed({
    action: ACTION,
    risk_score: { type: 'integer', minimum: 0, maximum: 100 },
    risk_level: LEVEL,
    ledger: listOf(LEDGER_ENTRY),
    ruleset: TEXT,
  }),
);

export function presentDecision(decision: Decision) {
  const { ledger, ruleset } = decision;
  return { ...presentSummary(decision), ledger: presentLedger(ledger), ruleset };
}

/** As it is: only the types of the schema want lists that may be changed. */
export function presentLedger(ledger: readonly LedgerEntry[]) {
  return ledger.map((entry) =>
    entry.kind === 'stood_aside' ? { ...entry, unknown: [...entry.unknown] } : entry,
  );
}
