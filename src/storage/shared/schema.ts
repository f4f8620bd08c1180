import type { Generated, Insertable, Kysely, Selectable } from 'kysely';
import type { CheckRow } from '../ports.ts';

interface AccountsTable {
  id: string;
  name: string;
  created_at: string;
}

interface ApiKeysTable {
  id: string;
  account_id: string;
  environment: string;
  name: string | null;
  prefix: string;
  /** SHA-256 of the secret. */
  hash: Uint8Array;
  created_at: string;
  revoked_at: Generated<string | null>;
  seen_in_clear_at: Generated<string | null>;
  expires_at: Generated<string | null>;
  replaced_by: Generated<string | null>;
  /** Null in the first key of a family. */
  family: Generated<string | null>;
}

interface LabelsTable {
  account_id: string;
  /** Of these two one is null. */
  check_id: string | null;
  address_hmac: string | null;
  label: string;
  source: string;
  author: string | null;
  labelled_at: string;
  recorded_at: string;
}

interface PeopleTable {
  id: string;
  email: string;
  name: string;
  operator_role: string | null;
  created_at: string;
  updated_at: string;
}

interface MembershipsTable {
  person_id: string;
  account_id: string;
  role: string;
}

interface CredentialsTable {
  id: string;
  person_id: string;
  provider: string;
  subject: string;
  password: string | null;
  created_at: string;
  updated_at: string;
}

interface SessionsTable {
  id: string;
  person_id: string;
  expires_at: string;
}

interface OneTimeLinksTable {
  id: string;
  purpose: string;
  /** SHA-256 of the token. */
  hash: Uint8Array;
  email: string | null;
  person_id: string | null;
  operator_role: string | null;
  account_id: string | null;
  account_role: string | null;
  created_by: string | null;
  created_at: string;
  expires_at: string;
  used_at: Generated<string | null>;
  revoked_at: Generated<string | null>;
}

interface AuditTrailTable {
  id: string;
  at: string;
  person_id: string | null;
  person: string;
  action: string;
  subject: string | null;
  account_id: string | null;
  /** JSON. */
  detail: string;
}

interface RuleVersionsTable {
  version: Generated<number>;
  hash: string | null;
  digest: string;
  reason: string;
  at: string;
  author: string | null;
  restores: number | null;
  /** JSON: path to digest of a text. */
  files: string;
}

interface RuleComplaintTable {
  /** 1: there is one row or none. */
  id: number;
  kind: string;
  at: string;
  digest: string | null;
  /** JSON. */
  faults: string;
}

interface RuleDraftsTable {
  id: string;
  name: string;
  author: string;
  author_id: string;
  created_at: string;
  saved_by: string;
  saved_by_id: string;
  saved_at: string;
  revision: number;
  base_hash: string;
  base_digest: string;
  /** JSON: path to text, here and below. */
  base_files: string;
  files: string;
  /** JSON. */
  backtest: string | null;
}

/** The tables as the last migration leaves them. */
export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  checks: CheckRow;
  check_hours: { account_id: string; hour: string; checks: number; tally: string };
  usage: { account_id: string; month: string; checks: number };
  labels: LabelsTable;
  /** `ends_at` in milliseconds since the epoch. */
  provider_values: { provider: string; key: string; value: string; ends_at: number };
  people: PeopleTable;
  memberships: MembershipsTable;
  credentials: CredentialsTable;
  sessions: SessionsTable;
  one_time_links: OneTimeLinksTable;
  audit_trail: AuditTrailTable;
  rule_texts: { digest: string; text: string };
  rule_versions: RuleVersionsTable;
  rule_announcements: { digest: string; author: string; restores: number | null };
  rule_complaint: RuleComplaintTable;
  rule_drafts: RuleDraftsTable;
}

export type Database = Kysely<Schema>;
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

/** Thrown within a transaction to undo it. */
class Undone extends Error {}

/** One transaction: all that `work` writes, or nothing where it answers false or throws. Returns its answer. */
export async function allOrNone(db: Database, work: (trx: Database) => Promise<boolean>): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await work(trx))) throw new Undone();
    });
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}

/** Whether a row would have what only one may have: SQLITE_CONSTRAINT_UNIQUE (sqlite.org/rescode.html). */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 2067;
}

/** For `IN`, whose list must not be empty: no id, digest or hash is an empty text. */
export function anyOf(values: readonly string[]): readonly string[] {
  return values.length > 0 ? values : [''];
}
