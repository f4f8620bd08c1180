import {
  CamelCasePlugin,
  type Dialect,
  type ExpressionBuilder,
  type Generated,
  type Insertable,
  Kysely,
} from 'kysely';
import type { Account, NewApiKey } from '../../accounts/key.ts';
import type { AccountRole, Membership, Person } from '../../accounts/person.ts';
import type { LabelSubject, NewLabel } from '../label-ports.ts';
import type { NewLink, TrailEntry } from '../people-ports.ts';
import type { CheckHour, StateName } from '../ports.ts';
import type { RuleAnnouncement, RuleComplaint, RuleDraft, RuleVersion } from '../rule-ports.ts';

/** A column that a new row leaves out and that begins as null. */
type FilledLater = Generated<string | null>;

/**
 * The tables as the last migration leaves them, without the columns that only the session library reads. Names are in camelCase
 * here and in snake_case in the database. Rows are as the ports take and return them, but JSON is text, and the members of
 * objects are columns. CHECK constraints of the tables hold most columns with a closed list of words to their lists.
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
  /** Exactly one of `checkId` and `addressHmac` is null. */
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

/** Ends the text of a statement that runs for each request: PostgreSQL then prepares it, because planning takes longer than running it. */
export const ASKED_OFTEN = '/* often */';
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

export function databaseOf(dialect: Dialect): Database {
  return new Kysely({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
}

/** Stores a row in place of the one that is equal in the columns of `key`, if there is one. */
export async function put<Table extends keyof Schema>(
  db: Database,
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  row: NewRow<Table>,
): Promise<void> {
  const into = db.insertInto<keyof Schema>(table).values(row);
  // The casts: the builder's types do not reach into a table that is a type parameter. `key` and `row` are checked at the call.
  await into.onConflict((known) => known.columns(key as never).doUpdateSet(row as never)).execute();
}

/** Executes an update or a deletion. True where it changed a row. */
export async function hasChanged(statement: {
  executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint } | { readonly numDeletedRows: bigint }>;
}): Promise<boolean> {
  const result = await statement.executeTakeFirst();
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

/**
 * Locks a table against changes by other transactions until this one ends. For transactions that read rows and then write by them: call
 * it before the rows are read.
 */
export type HoldTable = (trx: Database, table: keyof Schema) => Promise<unknown>;

/**
 * Whether a unique constraint refused a row: SQLITE_CONSTRAINT_UNIQUE (sqlite.org/rescode.html), unique_violation
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

export function batchesOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, number) =>
    items.slice(number * size, (number + 1) * size),
  );
}

/** True of the rows of the account that label one of the subjects. */
export function isOfSubjects(accountId: string, subjects: readonly LabelSubject[]) {
  const columns = subjects.map(columnsOf);
  const checks = columns.flatMap(({ checkId }) => checkId ?? []);
  const people = columns.flatMap(({ addressHmac }) => addressHmac ?? []);
  return (row: ExpressionBuilder<Schema, 'labels'>) =>
    row.and([
      row('accountId', '=', accountId),
      row.or([row('checkId', 'in', anyOf(checks)), row('addressHmac', 'in', anyOf(people))]),
    ]);
}

/** True of a label and a check that it is for: the check itself, or each of its person within the account. */
export function isOfLabel({ and, or, eb, ref }: ExpressionBuilder<Schema, 'labels' | 'checks'>) {
  return or([
    eb('checks.id', '=', ref('labels.checkId')),
    and([
      eb('checks.addressHmac', '=', ref('labels.addressHmac')),
      eb('checks.accountId', '=', ref('labels.accountId')),
    ]),
  ]);
}

export function columnsOf(subject: LabelSubject) {
  return 'checkId' in subject
    ? { checkId: subject.checkId, addressHmac: null }
    : { checkId: null, addressHmac: subject.addressHmac };
}
