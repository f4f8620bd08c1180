import type { Account, ApiKey, NewApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import type { Label } from '../labels/label.ts';
import type { Facts } from '../rules/decision.ts';
import type { JobLock } from './job-lock.ts';
import type { LabelStore } from './label-ports.ts';
import type { PeopleStorage, TrailEntry } from './people-ports.ts';
import type { RuleDraftStore, RuleVersionStore } from './rule-ports.ts';

/** Announcements between the instances that share a database that other rules are published. They are read from the database. */
export interface ChangeFeed {
  /**
   * Calls `onChange` after each announcement, by this instance too, and whenever announcements may have been lost: so it is also called
   * where nothing has changed. It must not throw. Returns what ends it.
   */
  subscribe(onChange: () => void): () => void;
}

/** A row of `checks`, one for each answered check. JSON columns are kept as text. */
export interface CheckRow {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly created_at: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: string;
  readonly action: string;
  readonly risk_score: number;
  readonly risk_level: string;
  readonly ruleset: string;
  /** JSON: fact id to value, null for unknown. */
  readonly facts: string;
  /** JSON: fact id to reason. */
  readonly unknown: string;
  /** JSON: provider id to evidence. */
  readonly evidence: string;
  /** JSON: the ledger. */
  readonly ledger: string;
  /** JSON: provider id to microseconds. */
  readonly timings: string;
  /** JSON: provider id to the version of its data. */
  readonly sources: string;
  readonly domain: string | null;
  /** Hex HMAC-SHA-256 of the canonical address. */
  readonly address_hmac: string | null;
  readonly address: string | null;
  /** JSON: `ruleset`, `action`, `risk_score` and `risk_level` of the challenger's decision; null where there is none. */
  readonly challenger: string | null;
  /** JSON: id of each shadow rule that was tried, fired or not, to a hash of its form; null where there was none. */
  readonly shadow_rules: string | null;
  /** Microseconds from the call to the decision, which the commit of this row comes after; null where it was not measured. */
  readonly duration_us: number | null;
}

/** A check to be recorded. */
export interface NewCheck extends Omit<CheckRow, 'facts' | 'timings' | 'sources'> {
  readonly facts: Facts;
  /** Provider id to microseconds. */
  readonly timings: Readonly<Record<string, number>>;
  /** Provider id to the version of its data. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What of a recorded check a replay reads. */
export interface RecordedCheck
  extends Pick<
    CheckRow,
    | 'id'
    | 'created_at'
    | 'domain'
    | 'address_hmac'
    | 'action'
    | 'risk_score'
    | 'risk_level'
    | 'ruleset'
    | 'facts'
  > {
  /** The check's own, else its person's within the account; null where there is neither. */
  readonly label: Label | null;
  /** The column `unknown` where a fact that was known is not stored; else null. */
  readonly withheld: string | null;
}

/** A recorded check beside which something was tried: a challenger, shadow rules, or both. */
export interface TriedCheck
  extends Omit<RecordedCheck, 'facts'>,
    Pick<CheckRow, 'challenger' | 'shadow_rules'> {
  /** Null where no shadow rule fired: reports on shadow rules need it of no other check. */
  readonly facts: string | null;
  /** Null where no shadow rule fired. */
  readonly ledger: string | null;
}

/** Which recorded checks; those of test keys are in none. */
export interface CheckSelection {
  readonly accountId?: string | undefined;
  /** ISO 8601, UTC: created then or later. */
  readonly since?: string | undefined;
  /** ISO 8601, UTC: created before then. */
  readonly until?: string | undefined;
  /** At most so many, those recorded last. */
  readonly newest?: number | undefined;
}

export interface AccountStore {
  /** With the entry of the audit trail, if there is one: both or neither. */
  create(account: Account, entry?: TrailEntry): Promise<void>;
  find(id: string): Promise<Account | undefined>;
  /** By creation. */
  list(): Promise<readonly Account[]>;
}

/** Accounts. */
export const ACCOUNT_STORE: InjectionToken<AccountStore> = Symbol('AccountStore');

export interface StoredKey {
  readonly key: ApiKey;
  /** SHA-256 of the secret. */
  readonly hash: Uint8Array;
}

/** Where an entry of the audit trail is given, it is committed with the change: both or neither. */
export interface KeyStore {
  create(key: NewApiKey, entry?: TrailEntry): Promise<void>;
  /**
   * Asks the store each time, so that a revocation by another process holds for the next request. Rejects with
   * `AppError unavailable` when the store cannot be read.
   */
  findByHash(hash: Uint8Array): Promise<StoredKey | undefined>;
  find(id: string): Promise<ApiKey | undefined>;
  list(accountId?: string): Promise<readonly ApiKey[]>;
  /** False when there is no such key; true also when it was revoked before. */
  revoke(id: string, at: string, entry?: TrailEntry): Promise<boolean>;
  /**
   * Stores `successor` in the family of the key and lets the key end at `expiresAt`: both or neither. False, and
   * nothing stored, when there is no such key or it is revoked or rotated already; of two at once one resolves to true.
   */
  rotate(id: string, expiresAt: string, successor: NewApiKey, entry?: TrailEntry): Promise<boolean>;
  /**
   * Notes that the key came over plain HTTP, unless that was noted after `unlessSince` already; false
   * then, and when there is no such key. One statement, so that of two processes one resolves to true.
   */
  markSeenInClear(id: string, at: string, unlessSince: string): Promise<boolean>;
}

/** Keys, read on each request. */
export const KEY_STORE: InjectionToken<KeyStore> = Symbol('KeyStore');

/** The checks on record, for what judges them again. */
export interface ReplayQueries {
  /** How many checks of live keys there are. */
  count(selection: CheckSelection): Promise<number>;
  /**
   * The checks of live keys by `(created_at, id)`, some hundred at a time, up to the last that was there when the first page
   * was asked for. Holds no lock and no snapshot between pages: retention goes on meanwhile.
   */
  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]>;
  /** Of those, the checks beside which something was tried. */
  triedPages(selection: CheckSelection): AsyncIterable<readonly TriedCheck[]>;
}

export interface CheckStore extends ReplayQueries {
  /** Rows appended that are not durable yet. */
  readonly pending: number;
  /**
   * Resolves once the row is durable (`audit.durability: commit`), or once it is queued (`async`).
   * Rejects with `AppError unavailable` when the queue is full or the commit fails, and with another
   * error when the row itself is refused (an id that exists): that is a bug and no retry helps.
   */
  append(check: NewCheck): Promise<void>;
  find(id: string): Promise<CheckRow | undefined>;
  /**
   * Erases every record of a person and every label of theirs; returns how many there were. From the files too where the storage is one
   * of ours; a server takes them out of its files when it makes room there anew (VACUUM), and keeps its log and backups by its own rules.
   */
  forget(match: {
    readonly addressHmac: string;
  }): Promise<{ readonly checks: number; readonly labels: number }>;
  /**
   * How many records there are at most, told at once however many that is; and when the newest was created. A server tells of many
   * (more than 100,000) only about how many.
   */
  extent(): Promise<{ readonly atMost: number; readonly newest: string | undefined }>;
  /** Makes the place where checks of an instant to come will be recorded: its first check would have to wait until that is made. */
  prepare(instant: string): Promise<void>;
  /** How many records were created before the instant; counting ends at `limit`. */
  countBefore(instant: string, limit: number): Promise<number>;
  /** Deletes records created before the instant, each with the label that it was given, in small batches; returns how many, of more than 100,000 in a server about how many. Ends after a batch when `signal` is aborted. */
  deleteBefore(instant: string, signal?: AbortSignal): Promise<number>;
}

/** What was counted of the checks of an account in an hour. */
export interface CheckHour {
  readonly accountId: string;
  /** `2026-11-20T10`, UTC. */
  readonly hour: string;
  /** How many were counted: other than there are now where some came since. */
  readonly checks: number;
  /** JSON. */
  readonly tally: string;
}

/** Counts of whole hours. They are made of records alone and go with any of these, so that nothing outlives what it was made of. */
export interface CheckHourStore {
  /** Replaces what was counted before; leaves out what is not of the checks that are there now. */
  keep(hours: readonly CheckHour[]): Promise<void>;
}

export interface UsageStore {
  /**
   * Live checks of an account that are on record for a month (`2026-11`), those deleted since included.
   * Written with each check, in its own transaction. Rejects with `AppError unavailable` when the store cannot be read.
   */
  read(accountId: string, month: string): Promise<number>;
  /** The accounts that have at least so many on record for a month. */
  atLeast(checks: number, month: string): Promise<readonly (Account & { readonly checks: number })[]>;
}

/** What accounts have used of their months. */
export const USAGE_STORE: InjectionToken<UsageStore> = Symbol('UsageStore');

/** What signal providers keep across restarts: small texts, each with an end. */
export interface ProviderValueStore {
  /** Undefined when there is none, or it ended by `atMs`. Rejects with `AppError unavailable` when the store cannot be read. */
  find(provider: string, key: string, atMs: number): Promise<string | undefined>;
  /** Replaces what was there. Also deletes everything, of any provider, that ended by `atMs`. */
  keep(provider: string, key: string, value: string, endsAtMs: number, atMs: number): Promise<void>;
}

/**
 * Fingerprints of the secrets, and the secrets themselves where no file holds them; when retention ran last; up to which instant a
 * person has said that records may go; the number of the published version of the rules, and the shipped texts that they began as; of which
 * database this one holds part of a copy.
 */
export type StateName =
  | 'hmac_key'
  | 'session_key'
  | 'hmac_secret'
  | 'session_secret'
  | 'retention_ran_at'
  | 'retention_confirmed'
  | 'published_rules'
  | 'rules_base'
  | 'unfinished_copy';

/** What the service remembers about itself. */
export interface ServiceStateStore {
  find(name: StateName): Promise<string | undefined>;
  keep(name: StateName, value: string): Promise<void>;
}

/** An opened database. */
export interface Storage {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly checks: CheckStore;
  readonly labels: LabelStore;
  readonly checkHours: CheckHourStore;
  readonly usage: UsageStore;
  readonly providerValues: ProviderValueStore;
  readonly state: ServiceStateStore;
  readonly ruleVersions: RuleVersionStore;
  readonly peopleStorage: PeopleStorage;
  readonly ruleDrafts: RuleDraftStore;
  readonly jobLock: JobLock;
  /** Rejects when the database cannot be read, or checks could not be recorded a moment ago; for readiness. */
  ping(): Promise<void>;
  /** Commits what is queued, then closes. */
  close(): Promise<void>;
}
