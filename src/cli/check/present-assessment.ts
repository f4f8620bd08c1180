import type { Assessment } from '../../checks/assessor.ts';
import type { AppError } from '../../errors.ts';

/** One line of `check --json`. */
export function presentAssessment({ address, signals, decision }: Assessment): Record<string, unknown> {
  return {
    email: address.raw,
    summary: { action: decision.action, risk_score: decision.score, risk_level: decision.level },
    normalized: {
      raw: address.raw,
      canonical: address.canonical.address,
      local_part: address.canonical.localPart,
      domain: address.canonical.domain,
      subaddress: address.subaddress,
      has_dots_removed: address.hasDotsRemoved,
    },
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
