import type { Action, Level, Outcome } from '../rules/decision.ts';

/** The column `challenger` of a record. No fact and no rule is in it, so nothing personal can be. */
export interface RecordedChallenge {
  readonly ruleset: string;
  readonly action: Action;
  readonly risk_score: number;
  readonly risk_level: Level;
}

export function writeChallenge({ ruleset, action, score, level }: Outcome): string {
  const recorded: RecordedChallenge = { ruleset, action, risk_score: score, risk_level: level };
  return JSON.stringify(recorded);
}

export function parseChallenge(json: string): RecordedChallenge {
  return JSON.parse(json);
}
