import type { Assessment } from '../../checks/assessor.ts';
import { presentOutcome } from '../../checks/outcome.presenter.ts';
import type { AppError } from '../../errors.ts';

/** One line of `check --json`. */
export function presentAssessment(assessment: Assessment): Record<string, unknown> {
  const { address, signals, decision } = assessment;
  return {
    email: address.raw,
    ...presentOutcome(assessment),
    signals: signals.facts,
    unknown: signals.unknown,
    ledger: decision.ledger,
    ruleset: decision.ruleset,
    degraded: signals.degraded,
  };
}

/** The line of a text that is no address; `error` is that of the HTTP envelope. */
export function presentRefusal(email: string, { code, message, details }: AppError): Record<string, unknown> {
  return { email, error: { code, message, details: details ?? [] } };
}
