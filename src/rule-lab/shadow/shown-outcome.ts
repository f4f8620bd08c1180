import type { Action, Level } from '../../rules/decision.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import type { ShownOutcome } from './report.ts';

/** What was answered; the table takes only what was decided. */
export function answeredBy({ action, risk_score, risk_level }: TriedCheck): ShownOutcome {
  return { action: action as Action, risk_score, risk_level: risk_level as Level };
}
