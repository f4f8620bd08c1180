import type { AuditAction } from '../../accounts/audit-actions.ts';
import type { AuditStore, TrailEntry, TrailSelection } from '../people-ports.ts';
import { anyOf, type Database, type Row } from './schema.ts';

export class AuditTrailStore implements AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(entry: TrailEntry): Promise<void> {
    await addEntry(this.#db, entry);
  }

  async list(selection: TrailSelection): Promise<readonly TrailEntry[]> {
    const { accountIds, personId, action, subject, since, until, before, limit } = selection;
    let found = this.#db.selectFrom('audit_trail').selectAll().orderBy('id', 'desc').limit(limit);
    if (accountIds !== undefined) found = found.where('account_id', 'in', anyOf(accountIds));
    if (personId !== undefined) found = found.where('person_id', '=', personId);
    if (action !== undefined) found = found.where('action', '=', action);
    if (subject !== undefined) found = found.where('subject', '=', subject);
    if (since !== undefined) found = found.where('at', '>=', since);
    if (until !== undefined) found = found.where('at', '<', until);
    if (before !== undefined) found = found.where('id', '<', before);
    return (await found.execute()).map(toEntry);
  }
}

/** Puts an entry into the audit trail, in the transaction of the act itself. Does nothing where there is none. */
export async function addEntry(trx: Database, entry: TrailEntry | undefined): Promise<void> {
  if (entry === undefined) return;
  const { id, at, personId, person, action, subject, accountId, detail } = entry;
  await trx
    .insertInto('audit_trail')
    .values({
      ...{ id, at, person_id: personId, person, action, subject, account_id: accountId },
      detail: JSON.stringify(detail),
    })
    .execute();
}

function toEntry(row: Row<'audit_trail'>): TrailEntry {
  return {
    id: row.id,
    at: row.at,
    personId: row.person_id,
    person: row.person,
    // Only entries of the closed list are written.
    action: row.action as AuditAction,
    subject: row.subject,
    accountId: row.account_id,
    detail: JSON.parse(row.detail),
  };
}
