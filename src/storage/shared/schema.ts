import { CamelCasePlugin, type Dialect, type Generated, type Insertable, Kysely } from 'kysely';
import type { Account, NewApiKey } from '../../accounts/key.ts';
import type { AccountRole, Membership, Person } from '../../accounts/person.ts';
import type { NewLabel } from '../label-ports.ts';
import type { NewLink, TrailEntry } from '../people-ports.ts';
import type { CheckHour, StateName } from '../ports.ts';
import type { RuleAnnouncement, RuleComplaint, RuleDraft, RuleVersion } from '../rule-ports.ts';

/** A column that a new row leaves out and that begins as null. */
type FilledLater = Generated<string | null>;

/**
 * The tables as the last migration leaves them, without the columns that only the library of sessions reads. Names are in
 * camelCase here and in snake_case in the database. Rows are what the ports take and answer, but for JSON, which is text, and
 * for objects, whose members are columns. Words of closed lists are held to them by the tables themselves.
 */
export interface Schema {
  accounts: Account;
  /** `family` is null in the first key of a family. */
  apiKeys: NewApiKey & {
    revokedAt: FilledLater;
    seenInClearAt: FilledLater;
    expiresAt: FilledLater;
    replacedBy: FilledLater;
    family: FilledLater;
  };
  checks: {
    id: string;
    createdAt: string;
    accountId: string;
    environment: string;
    addressHmac: string | null;
  };
  checkHours: CheckHour;
  usage: { accountId: string; month: string; checks: number };
  /** Of `checkId` and `addressHmac` one is null. */
  labels: Omit<NewLabel, 'subject'> & {
    accountId: string;
    checkId: string | null;
    addressHmac: string | null;
    recordedAt: string;
  };
  /** `endsAt` in milliseconds since the epoch. */
  providerValues: { provider: string; key: string; value: string; endsAt: number };
  serviceState: { name: StateName; value: string };
  people: Omit<Person, 'memberships'> & { updatedAt: string };
  memberships: Membership & { personId: string };
  credentials: {
    id: string;
    personId: string;
    provider: string;
    subject: string;
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  sessions: { id: string; personId: string; expiresAt: string };
  oneTimeLinks: Omit<NewLink, 'membership'> & {
    accountId: string | null;
    accountRole: AccountRole | null;
    usedAt: FilledLater;
    revokedAt: FilledLater;
  };
  auditTrail: Omit<TrailEntry, 'detail'> & { detail: string };
  /** In PostgreSQL alone. `state` is JSON. */
  downloadedLists: { url: string; state: string };
  /** In PostgreSQL alone. */
  listSnapshots: { listId: string; sha256: string; text: string };
  ruleTexts: { digest: string; text: string };
  /** `files` is JSON: path to the digest of a text. */
  ruleVersions: Omit<RuleVersion, 'version'> & { version: Generated<number>; files: string };
  ruleAnnouncements: RuleAnnouncement;
  /** One row, with the id 1, or none. */
  ruleComplaint: Omit<RuleComplaint, 'faults'> & { id: number; faults: string };
  ruleDrafts: Omit<RuleDraft, 'author' | 'savedBy' | 'base' | 'files' | 'backtest'> & {
    author: string;
    authorId: string;
    savedBy: string;
    savedById: string;
    baseHash: string;
    baseDigest: string;
    /** JSON, as are the next two. */
    baseFiles: string;
    files: string;
    backtest: string | null;
  };
}

export type Database = Kysely<Schema>;

/** Ends the text of a statement that each request asks: a server prepares it, where to plan it takes longer than to answer it. */
export const ASKED_OFTEN = '/* often */';
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

export function databaseOf(dialect: Dialect): Database {
  return new Kysely({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
}

/** Executes an update or a deletion: whether there was a row for it. */
export async function hasChanged(statement: {
  executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint } | { readonly numDeletedRows: bigint }>;
}): Promise<boolean> {
  const result = await statement.executeTakeFirst();
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

/**
 * Until the end of the transaction no other one changes the table: for what is judged by rows that another could change before this
 * one writes. To be called before those rows are read.
 */
export type HoldTable = (trx: Database, table: keyof Schema) => Promise<unknown>;

/**
 * Whether a row would have what only one may have: SQLITE_CONSTRAINT_UNIQUE (sqlite.org/rescode.html), unique_violation
 * (postgresql.org/docs/current/errcodes-appendix.html).
 */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === 2067) || ('code' in error && error.code === '23505');
}

/** For `IN`, whose list must not be empty: no id, digest or hash is an empty text. */
export function anyOf(values: readonly string[]): readonly string[] {
  return values.length > 0 ? values : [''];
}
