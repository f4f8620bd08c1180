import type { RuleFiles } from '../rules/rule-files.ts';

/** Who did something, as people are told. */
export interface Doer {
  readonly id: string;
  readonly name: string;
}

/** Rules that somebody works on, and what they were made of. */
export interface RuleDraft {
  readonly id: string;
  /** What it is for, in a few words. */
  readonly name: string;
  readonly author: Doer;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly savedBy: Doer;
  readonly savedAt: string;
  /** From 1; rises with each save. */
  readonly revision: number;
  /** What was in force when it was begun, or brought up to date. */
  readonly base: {
    /** `Postern-Ruleset`. */
    readonly hash: string;
    /** Of the texts of the files. */
    readonly digest: string;
    readonly files: RuleFiles;
  };
  readonly files: RuleFiles;
  /** The last backtest of it; of an older revision it says nothing of this one. */
  readonly backtest: DraftBacktest | null;
}

/** What a backtest of a draft came to, as far as whoever reads of its publishing needs it. */
export interface DraftBacktest {
  readonly revision: number;
  /** The set in force that it was held against. */
  readonly base: string;
  /** The hash that the draft would have. */
  readonly candidate: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly checks: number;
  readonly toBlock: number;
  readonly toAllow: number;
}

/** Drafts of rules. A save counts only where nobody has saved in between. */
export interface RuleDraftStore {
  /** Saved last, first. */
  list(): Promise<readonly RuleDraft[]>;
  find(id: string): Promise<RuleDraft | undefined>;
  create(draft: RuleDraft): Promise<void>;
  /** Replaces what it was; false, and nothing stored, unless the stored one is of the revision before. */
  save(draft: RuleDraft): Promise<boolean>;
  /** False when the draft is of another revision by now. */
  noteBacktest(id: string, backtest: DraftBacktest): Promise<boolean>;
  /** False when there is none, or none of that revision where one is named. */
  discard(id: string, revision?: number): Promise<boolean>;
}
