import type { RuleFiles } from '../rules/rule-files.ts';

/** What put a rule set in force. `draft` never was: it was saved before a rollback wrote over it. */
export type VersionReason = 'start' | 'change' | 'sighup' | 'rollback' | 'expiry' | 'draft';

/** A rule set as it was put in force, or saved. */
export interface RuleVersion {
  /** From 1, in the order of activation. */
  readonly version: number;
  /** `Postern-Ruleset`; null for a draft that could not be compiled. */
  readonly hash: string | null;
  /** Of the texts of the files, which may differ where the hash does not. */
  readonly digest: string;
  readonly reason: VersionReason;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** As far as it is known: a person's email at the dashboard, the name that a command gave, or the owner of a changed file. */
  readonly author: string | null;
  /** The version whose files were written back. */
  readonly restores: number | null;
}

/** Who is about to change the rules directory, and to what; stored before the service sees the files. */
export interface RuleAnnouncement {
  readonly digest: string;
  readonly author: string;
  readonly restores: number | null;
}

/** What was found in the rules directory and is not as it should be. */
export interface RuleComplaint {
  /** `refused` is not in force; `failing` is, since the start, though its tests fail. */
  readonly kind: 'refused' | 'failing';
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Null where the files could not be read. */
  readonly digest: string | null;
  readonly faults: readonly string[];
}

/** Every rule set that was in force or published, with its files. */
export interface RuleVersionStore {
  /** The last that was put in force. */
  last(): Promise<RuleVersion | undefined>;
  /** Returns it with its number. An announcement of these files gives author, reason and origin, and is used up. */
  add(version: Omit<RuleVersion, 'version'>, files: RuleFiles): Promise<RuleVersion>;
  /** By which version every instance decides where rules are published in the database; undefined before the first. */
  published(): Promise<RuleVersion | undefined>;
  /**
   * Adds a version, publishes and announces it: all of it, or nothing where something else is published than the version `before`
   * (null: nothing is), and then answers undefined.
   */
  publish(
    version: Omit<RuleVersion, 'version'>,
    files: RuleFiles,
    before: number | null,
  ): Promise<RuleVersion | undefined>;
  /** The newest first; drafts among them. */
  list(): Promise<readonly RuleVersion[]>;
  /** Undefined when there is no such version. */
  filesOf(version: number): Promise<RuleFiles | undefined>;
  announce(announcement: RuleAnnouncement): Promise<void>;
  /** Takes back what was announced of these files; nothing where nothing was. */
  withdraw(digest: string): Promise<void>;
  /** Replaces what was complained of before; null takes it back. */
  complain(complaint: RuleComplaint | null): Promise<void>;
  complaint(): Promise<RuleComplaint | undefined>;
}

/** Who did something, as people are shown it. */
export interface Doer {
  readonly id: string;
  readonly name: string;
}

/** Rules that are being edited, and what they were made of. */
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

/** The result of a draft's backtest, as far as its publication shows it. */
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

/** Drafts of rules. A save counts only where no other came in between. */
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
