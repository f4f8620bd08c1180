import type { Decision, LedgerEntry } from '../../rules/decision.ts';

export function presentDecision({ action, score, level, ledger, ruleset }: Decision) {
  return { action, risk_score: score, risk_level: level, ledger: presentLedger(ledger), ruleset };
}

/** As it is: only the types of the schema want lists that may be changed. */
export function presentLedger(ledger: readonly LedgerEntry[]) {
  return ledger.map((entry) =>
    entry.kind === 'stood_aside' ? { ...entry, unknown: [...entry.unknown] } : entry,
  );
}
