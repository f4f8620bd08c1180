import type { TrailEntry } from '../people-ports.ts';
import type { Statement } from './connections.ts';

/** Puts an entry into the audit trail, beside the statements of the act itself. None where there is no entry. */
export function trailStatements(entry: TrailEntry | undefined): readonly Statement[] {
  if (entry === undefined) return [];
  const { id, at, personId, person, action, subject, accountId, detail } = entry;
  return [
    {
      sql: 'INSERT INTO audit_trail (id, at, person_id, person, action, subject, account_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      parameters: [id, at, personId, person, action, subject, accountId, JSON.stringify(detail)],
    },
  ];
}
