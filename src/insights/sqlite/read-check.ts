import type { DatabaseSync } from 'node:sqlite';
import type { CheckRow } from '../../storage/ports.ts';
import { CHECK_COLUMNS } from '../../storage/sqlite/schema.ts';
import type { Ask, RecordedLabel, WholeCheck } from '../questions.ts';

/** See `Questions.check`. Null too where it is another account's. */
export function readCheck(database: DatabaseSync, { id, accountId }: Ask<'check'>): WholeCheck | null {
  const found = database.prepare(`SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`).get(id);
  if (!found) return null;
  // The columns are those of the table, which is strict: what comes back is what was written.
  const row = { ...found } as unknown as CheckRow;
  if (accountId !== undefined && row.account_id !== accountId) return null;
  const version = database
    .prepare(
      `SELECT version FROM rule_versions WHERE hash = ? AND reason <> 'draft' AND at <= ?
       ORDER BY version DESC LIMIT 1`,
    )
    .get(row.ruleset, row.created_at)?.version;
  return { row, labels: labelsOf(database, row), version: version === undefined ? null : Number(version) };
}

function labelsOf(database: DatabaseSync, row: CheckRow): readonly RecordedLabel[] {
  const labels = database
    .prepare(
      `SELECT iif(check_id IS NULL, 'person', 'check') AS "of", label, source, author, labelled_at AS labelledAt
       FROM labels WHERE check_id = ? OR (address_hmac = ? AND account_id = ?) ORDER BY check_id IS NULL`,
    )
    .all(row.id, row.address_hmac, row.account_id);
  return labels.map((label) => ({ ...label }) as unknown as RecordedLabel);
}
