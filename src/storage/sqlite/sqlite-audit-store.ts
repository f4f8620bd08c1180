import type { AuditAction } from '../../accounts/audit-actions.ts';
import type { AuditStore, TrailEntry, TrailSelection } from '../people-ports.ts';
import type { Connections } from './connections.ts';
import type { AuditTrailTable } from './schema.ts';
import { trailStatements } from './trail-statements.ts';

export class SqliteAuditStore implements AuditStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async add(entry: TrailEntry): Promise<void> {
    await this.#connections.writeAll(trailStatements(entry));
  }

  async list(selection: TrailSelection): Promise<readonly TrailEntry[]> {
    const { accountIds, personId, action, subject, since, until, before, limit } = selection;
    const { query } = await this.#connections.typed();
    let found = query.selectFrom('audit_trail').selectAll().orderBy('id', 'desc').limit(limit);
    if (accountIds !== undefined) found = found.where('account_id', 'in', accountIds);
    if (personId !== undefined) found = found.where('person_id', '=', personId);
    if (action !== undefined) found = found.where('action', '=', action);
    if (subject !== undefined) found = found.where('subject', '=', subject);
    if (since !== undefined) found = found.where('at', '>=', since);
    if (until !== undefined) found = found.where('at', '<', until);
    if (before !== undefined) found = found.where('id', '<', before);
    return (await found.execute()).map(toEntry);
  }
}

function toEntry(row: AuditTrailTable): TrailEntry {
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
