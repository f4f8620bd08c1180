import type { Account, ApiKey, NewApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import type { Label } from '../labels/label.ts';
import type { Facts } from '../rules/decision.ts';
import type { JobLock } from './job-lock.ts';
import type { LabelStore } from './label-ports.ts';
import type { PeopleStorage, TrailEntry } from './people-ports.ts';
import type { RuleDraftStore, RuleVersionStore } from './rule-ports.ts';

/** Tells the instances that share a database that other rules were published. The rules themselves are read from the database. */
export interface ChangeFeed {
  /**
   * Calls `onChange` after each announcement, also by this instance, and whenever announcements may have been lost: so also where
   * nothing has changed. `onChange` must not throw. Returns a function that ends the subscription.
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
  /** Microseconds from the call to the decision, without the commit of this row; null where it was not measured. */
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

/** The part of a recorded check that a replay reads. */
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
  /** The check's own label, else its person's within the account; null where there is neither. */
  readonly label: Label | null;
  /** The column `unknown` where it says of a fact that it was known but not stored; else null. */
  readonly withheld: string | null;
}

/** A recorded check for which a challenger, shadow rules, or both were tried. */
export interface TriedCheck
  extends Omit<RecordedCheck, 'facts'>,
    Pick<CheckRow, 'challenger' | 'shadow_rules'> {
  /** Null where no shadow rule fired: reports on shadow rules read the facts of no other check. */
  readonly facts: string | null;
  /** Null where no shadow rule fired. */
  readonly ledger: string | null;
}

/** Selects recorded checks. Checks of test keys are never selected. */
export interface CheckSelection {
  readonly accountId?: string | undefined;
  /** ISO 8601, UTC: created then or later. */
  readonly since?: string | undefined;
  /** ISO 8601, UTC: created before then. */
  readonly until?: string | undefined;
  /** At most so many checks: the newest. */
  readonly newest?: number | undefined;
}

export interface AccountStore {
  /** Stores the account and the entry of the audit trail, if there is one: both or neither. */
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
   * Stores `successor` in the family of the key and lets the key end at `expiresAt`: both or neither. False, and nothing
   * stored, when there is no such key or it is revoked or rotated already. Only one of two concurrent calls resolves to true.
   */
  rotate(id: string, expiresAt: string, successor: NewApiKey, entry?: TrailEntry): Promise<boolean>;
  /**
   * Notes that the key came over plain HTTP. False where that was noted after `unlessSince` already, or there is no such
   * key. One statement, so that only one of two concurrent processes gets true.
   */
  markSeenInClear(id: string, at: string, unlessSince: string): Promise<boolean>;
}

/** Keys, read on each request. */
export const KEY_STORE: InjectionToken<KeyStore> = Symbol('KeyStore');

/** Reads the checks on record, for replays, which judge them again. */
export interface ReplayQueries {
  /** How many checks of live keys there are. */
  count(selection: CheckSelection): Promise<number>;
  /**
   * The checks of live keys in the order of `(created_at, id)`, some hundred a page, up to the newest check at the time of the
   * first page. Holds no lock and no snapshot between pages: retention goes on meanwhile.
   */
  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]>;
  /** As `pages`, but only the checks for which a challenger or shadow rules were tried. */
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
   * Erases every record and every label of a person; returns how many there were. SQLite erases them from its files too. PostgreSQL
   * removes them from its files at the next VACUUM, and keeps its log and backups by its own rules.
   */
  forget(match: {
    readonly addressHmac: string;
  }): Promise<{ readonly checks: number; readonly labels: number }>;
  /**
   * How many records there are at most, and when the newest was created. Fast however many there are: beyond 100,000 records
   * PostgreSQL gives an estimate.
   */
  extent(): Promise<{ readonly atMost: number; readonly newest: string | undefined }>;
  /** Makes the partition for checks of an instant to come; else its first check would wait for that. Does nothing in SQLite. */
  prepare(instant: string): Promise<void>;
  /** How many records were created before the instant; counting ends at `limit`. */
  countBefore(instant: string, limit: number): Promise<number>;
  /** Deletes records created before the instant, each with its own label, in small batches; returns how many, beyond 100,000 in PostgreSQL an estimate. Ends after a batch when `signal` is aborted. */
  deleteBefore(instant: string, signal?: AbortSignal): Promise<number>;
}

/** The counts of the checks of an account in one hour. */
export interface CheckHour {
  readonly accountId: string;
  /** `2026-11-20T10`, UTC. */
  readonly hour: string;
  /** How many checks were counted. Where there is another number of checks by now, the counts are outdated. */
  readonly checks: number;
  /** JSON. */
  readonly tally: string;
}

/** Counts of whole hours. Deleting a record deletes the counts of its hour, so that no count outlives a record that it was made from. */
export interface CheckHourStore {
  /** Replaces earlier counts of these hours. Skips an hour that has another number of checks by now than were counted. */
  keep(hours: readonly CheckHour[]): Promise<void>;
}

export interface UsageStore {
  /**
   * How many live checks of an account were recorded in a month (`2026-11`), those deleted since included. Counted in the
   * transaction that records the check. Rejects with `AppError unavailable` when the store cannot be read.
   */
  read(accountId: string, month: string): Promise<number>;
  /** The accounts with at least `checks` live checks in a month. */
  atLeast(checks: number, month: string): Promise<readonly (Account & { readonly checks: number })[]>;
}

/** Checks that accounts have used, by month. */
export const USAGE_STORE: InjectionToken<UsageStore> = Symbol('UsageStore');

/** Small texts that signal providers keep across restarts, each with a time when it ends. */
export interface ProviderValueStore {
  /** Undefined when there is none, or it ended by `atMs`. Rejects with `AppError unavailable` when the store cannot be read. */
  find(provider: string, key: string, atMs: number): Promise<string | undefined>;
  /** Replaces the value of the key. Also deletes every value, of any provider, that ended by `atMs`. */
  keep(provider: string, key: string, value: string, endsAtMs: number, atMs: number): Promise<void>;
}

export type StateName =
  // Fingerprints of the two secrets.
  | 'hmac_key'
  | 'session_key'
  // The two secrets, where no file holds them.
  | 'hmac_secret'
  | 'session_secret'
  // When retention last ran; up to which instant an operator has confirmed that it may delete records.
  | 'retention_ran_at'
  | 'retention_confirmed'
  // The number of the published version of the rules; the shipped texts from which the rules began.
  | 'published_rules'
  | 'rules_base'
  // The name of the database of which this one holds part of a copy.
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
