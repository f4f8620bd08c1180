import type { RuleFiles } from '../rules/rule-files.ts';

/** What put a rule set in force. A `draft` never was in force: its files were saved before others were written over them. */
export type VersionReason = 'start' | 'change' | 'sighup' | 'rollback' | 'expiry' | 'draft';

/** A rule set as it was put in force, or saved. */
export interface RuleVersion {
  /** From 1, in the order of activation. */
  readonly version: number;
  /** `Postern-Ruleset`; null for a draft that could not be compiled. */
  readonly hash: string | null;
  /** Digest of the texts of the files, which may differ where the hash does not. */
  readonly digest: string;
  readonly reason: VersionReason;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** A person's email at the dashboard, the name that a command gave, or the owner of a changed file; null where it is not known. */
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

/** A fault of the files in the rules directory. */
export interface RuleComplaint {
  /** `refused`: the files are not in force. `failing`: they are in force since the start, though their tests fail. */
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
  /** Returns the version with its number. An announcement of these files sets author, reason and `restores`, and is used up; not for a draft. */
  add(version: Omit<RuleVersion, 'version'>, files: RuleFiles): Promise<RuleVersion>;
  /** The published version, by which every instance decides where rules are published in the database; undefined before the first. */
  published(): Promise<RuleVersion | undefined>;
  /**
   * Adds a version, publishes and announces it: all or nothing. Undefined, and nothing done, where the published version is not
   * `before` (null: none is published).
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
  /** Deletes the announcement of these files, if there is one. */
  withdraw(digest: string): Promise<void>;
  /** Replaces the complaint before it; null deletes it. */
  complain(complaint: RuleComplaint | null): Promise<void>;
  complaint(): Promise<RuleComplaint | undefined>;
}

/** The person who did something, as the dashboard shows it. */
export interface Doer {
  readonly id: string;
  readonly name: string;
}

/** Rules that are being edited, and the rules from which the draft was made. */
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
  /** The rules in force when the draft was begun, or last brought up to date. */
  readonly base: {
    /** `Postern-Ruleset`. */
    readonly hash: string;
    /** Digest of the texts of the files. */
    readonly digest: string;
    readonly files: RuleFiles;
  };
  readonly files: RuleFiles;
  /** The last backtest of the draft. Where its revision is older than the draft's, it says nothing of the present files. */
  readonly backtest: DraftBacktest | null;
}

/** The result of a draft's backtest, as far as its publication shows it. */
export interface DraftBacktest {
  readonly revision: number;
  /** The set in force with which the draft was compared. */
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

/** Drafts of rules. A save succeeds only where no other save came in between. */
export interface RuleDraftStore {
  /** The last saved first. */
  list(): Promise<readonly RuleDraft[]>;
  find(id: string): Promise<RuleDraft | undefined>;
  create(draft: RuleDraft): Promise<void>;
  /** Replaces the stored draft. False, and nothing stored, unless the stored draft is of the revision just before. */
  save(draft: RuleDraft): Promise<boolean>;
  /** False when the draft is of another revision by now. */
  noteBacktest(id: string, backtest: DraftBacktest): Promise<boolean>;
  /** Deletes the draft. False when there is none, or `revision` is given and the draft is of another. */
  discard(id: string, revision?: number): Promise<boolean>;
}
