import type { AuditStore, TrailEntry } from '../people-ports.ts';
import { anyOf, type Database } from './schema.ts';

export function auditTrailStore(db: Database): AuditStore {
  return {
    add: (entry) => addEntry(db, entry),
    async list({ accountIds, personId, action, subject, since, until, before, limit }) {
      let found = db.selectFrom('auditTrail').selectAll().orderBy('id', 'desc').limit(limit);
      if (accountIds !== undefined) found = found.where('accountId', 'in', anyOf(accountIds));
      if (personId !== undefined) found = found.where('personId', '=', personId);
      if (action !== undefined) found = found.where('action', '=', action);
      if (subject !== undefined) found = found.where('subject', '=', subject);
      if (since !== undefined) found = found.where('at', '>=', since);
      if (until !== undefined) found = found.where('at', '<', until);
      if (before !== undefined) found = found.where('id', '<', before);
      return (await found.execute()).map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
    },
  };
}

async function addEntry(db: Database, entry: TrailEntry): Promise<void> {
  await db
    .insertInto('auditTrail')
    .values({ ...entry, detail: JSON.stringify(entry.detail) })
    .execute();
}

/** Thrown within a transaction to undo it. */
class Undone extends Error {}

/**
 * One transaction: all that `work` writes and the entry of the audit trail, if there is one. Nothing is written where `work`
 * throws, or answers false, which is then the answer.
 */
export async function changeWithEntry(
  db: Database,
  entry: TrailEntry | undefined,
  work: (trx: Database) => Promise<unknown>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      if ((await work(trx)) === false) throw new Undone();
      if (entry) await addEntry(trx, entry);
    });
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}
