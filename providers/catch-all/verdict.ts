import {
  type Answer,
  SMTP_OUTCOMES,
  type SmtpAnswer,
  type SmtpOutcome,
  type UnknownReason,
  unknown,
} from 'postern/provider-kit';

/** The result of asking a mail host, and when: `yes` and `no` are its answer; `unknown`: it was asked and gave none. */
export interface Verdict {
  readonly state: 'yes' | 'no' | 'unknown';
  readonly outcome: SmtpOutcome;
  /** The reply that settled it, such as `550 5.1.1`; empty without one. */
  readonly reply: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** A yes or no is kept for days, an unknown for hours: greylisting and outages pass. */
export const LIFE_SECONDS = { yes: 7 * DAY_SECONDS, no: 7 * DAY_SECONDS, unknown: 4 * HOUR_SECONDS } as const;

export function verdictOf({ outcome, code, enhancedCode }: SmtpAnswer, at: number): Verdict {
  const reply = [code, enhancedCode].filter((part) => part !== undefined).join(' ');
  return { state: stateOf(outcome), outcome, reply, at };
}

function stateOf(outcome: SmtpOutcome): Verdict['state'] {
  if (outcome === 'all_accepted') return 'yes';
  return outcome === 'no_such_mailbox' ? 'no' : 'unknown';
}

/** How long the verdict still holds. */
export function secondsLeft({ state, at }: Verdict, now: number): number {
  return Math.max(0, LIFE_SECONDS[state] - (now - at) / 1000);
}

export function answerOf(verdict: Verdict, exchange: string, ttlSeconds: number): Answer {
  const { state, outcome, reply, at } = verdict;
  if (state === 'unknown') {
    return unknown(REASONS[outcome] ?? 'error', [exchange, outcome, reply].filter(Boolean).join(' '));
  }
  const asked_at = new Date(at).toISOString();
  return {
    facts: { 'domain.is_catch_all': state === 'yes' },
    evidence: { from: 'mail_host', exchange, outcome, reply, asked_at },
    ttlSeconds,
  };
}

/** Outcomes that are not here are `error`. No connection to a private address was tried. */
const REASONS: Partial<Record<SmtpOutcome, UnknownReason>> = {
  deferred: 'refused',
  rejected: 'refused',
  timeout: 'timeout',
  malformed: 'malformed',
  private_address: 'not_run',
};

export function writeVerdict({ state, outcome, reply, at }: Verdict): string {
  return JSON.stringify({ state, outcome, reply, at });
}

/** Undefined for what no version of this provider has written. */
export function readVerdict(text: string): Verdict | undefined {
  try {
    const { outcome, reply, at } = JSON.parse(text);
    if (!SMTP_OUTCOMES.includes(outcome) || typeof reply !== 'string' || !Number.isFinite(at))
      return undefined;
    return { state: stateOf(outcome), outcome, reply, at };
  } catch {
    return undefined;
  }
}
