import type { Address, FactValue } from '../provider-kit/index.ts';

/** Facts by id; null is unknown. Constant during a decision. */
export type Facts = Readonly<Record<string, FactValue | null>>;

export const LEVELS = ['low', 'medium', 'high'] as const;
export type Level = (typeof LEVELS)[number];

export const ACTIONS = ['ALLOW', 'BLOCK'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * One line of the account of a decision. The `points` of all entries sum to the score.
 * Order: force, rule, absorbed, cap, bound, stood_aside, shadow, level, action; then by id.
 */
export type LedgerEntry = Readonly<
  | { kind: 'force'; points: 0; id: string; action: Action; saw: Facts }
  | { kind: 'rule'; points: number; id: string; group: string; saw: Facts }
  | { kind: 'absorbed'; points: number; id: string; by: string }
  | { kind: 'cap'; points: number; group: string; max_score: number }
  | { kind: 'bound'; points: number; min: 0; max: 100 }
  | { kind: 'stood_aside'; points: 0; id: string; unknown: readonly string[] }
  | { kind: 'shadow'; points: 0; id: string; would_add: number; saw: Facts }
  | { kind: 'level'; points: 0; id: string | null; level: Level; saw: Facts }
  | { kind: 'action'; points: 0; id: string | null; action: Action; saw: Facts }
>;

export interface Decision {
  /** Integer, 0 to 100. */
  readonly score: number;
  readonly level: Level;
  readonly action: Action;
  readonly ledger: readonly LedgerEntry[];
  /** First 16 hex digits of the hash of the rule set that decided. */
  readonly ruleset: string;
}

/** The same three members wherever an outcome leaves the process. */
export function presentSummary({ action, score, level }: Pick<Decision, 'action' | 'score' | 'level'>) {
  return { action, risk_score: score, risk_level: level };
}

/** The members that the HTTP response and `postern check --json` share. */
export function presentOutcome({
  address,
  decision,
}: {
  readonly address: Address;
  readonly decision: Decision;
}) {
  return {
    summary: presentSummary(decision),
    normalized: {
      raw: address.raw,
      canonical: address.canonical.address,
      local_part: address.canonical.localPart,
      domain: address.canonical.domain,
      subaddress: address.subaddress,
      has_dots_removed: address.hasDotsRemoved,
    },
  };
}

export type Outcome = Omit<Decision, 'ledger'>;
