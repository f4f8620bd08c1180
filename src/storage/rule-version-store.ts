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
  /** As far as it is known: the email of whoever did it at the dashboard, the name that a command gave, whom the system has as a file's owner. */
  readonly author: string | null;
  /** The version whose files were written back. */
  readonly restores: number | null;
}

/** Who is about to change the rules directory, and to what; told before the service sees the files. */
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

/** Every rule set that was in force, with its files. */
export interface RuleVersionStore {
  /** The last that was put in force. */
  last(): Promise<RuleVersion | undefined>;
  /** Returns it with its number. An announcement of these files gives author, reason and origin, and is used up. */
  add(version: Omit<RuleVersion, 'version'>, files: RuleFiles): Promise<RuleVersion>;
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
