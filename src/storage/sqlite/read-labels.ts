import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { LABELS } from '../../labels/label.ts';
import type { LabelSubject, LabelSummary, StoredLabel } from '../label-ports.ts';
import { startOf } from './checks-of-person.ts';

/**
 * The live checks `c` of people whom the SQL `wanted` names by `id`, `address_hmac` and `account_id`. Goes once through the
 * index by person, whatever their number: some tenths of a second for a million checks.
 */
function ofPeople(wanted: string, columns: string, rest: string): string {
  return `WITH wanted AS MATERIALIZED (SELECT *, ${startOf('address_hmac')} AS start FROM (${wanted}))
    SELECT ${columns}
    FROM (SELECT rowid AS place, ${startOf('address_hmac')} AS start, account_id
      FROM check_rows INDEXED BY checks_by_person) entry
    CROSS JOIN wanted ON wanted.start = entry.start AND wanted.account_id = entry.account_id
    CROSS JOIN check_rows c ON c.rowid = entry.place AND c.address_hmac = wanted.address_hmac
      AND c.environment = 'live' ${rest}`;
}

/** How many each of them has; who has none is left out. */
function countsOfPeople(
  reader: DatabaseSync,
  wanted: string,
  parameters: readonly SQLInputValue[],
): ReadonlyMap<number, number> {
  const rows = reader
    .prepare(ofPeople(wanted, 'wanted.id, count(*) AS checks', 'GROUP BY wanted.id'))
    .all(...parameters);
  return new Map(rows.map(({ id, checks }) => [Number(id), Number(checks)]));
}

export function listLabels(
  reader: DatabaseSync,
  accountId: string | undefined,
  limit: number,
): readonly StoredLabel[] {
  const { where, parameters } = ofAccount(accountId);
  const listed = (columns: string) =>
    `SELECT l.rowid AS id, ${columns} FROM labels l ${where} ORDER BY labelled_at DESC, rowid DESC LIMIT ?`;
  const ofCheck = `(SELECT count(*) FROM check_rows c WHERE c.id = l.check_id AND c.environment = 'live')`;
  const rows = reader.prepare(listed(`l.*, ${ofCheck} AS checks`)).all(...parameters, limit);
  const ofPerson = countsOfPeople(reader, listed('address_hmac, account_id'), [...parameters, limit]);
  return rows.map((row) => toLabel(row, ofPerson.get(Number(row.id)) ?? Number(row.checks)));
}

/** By the subjects' places. */
export function countReach(
  reader: DatabaseSync,
  accountId: string,
  subjects: readonly LabelSubject[],
): readonly number[] {
  const ofPerson = countsOfPeople(
    reader,
    "SELECT key AS id, value ->> 'addressHmac' AS address_hmac, ? AS account_id FROM json_each(?)",
    [accountId, JSON.stringify(subjects)],
  );
  const ofCheck = reader.prepare(
    "SELECT count(*) AS checks FROM check_rows WHERE id = ? AND +account_id = ? AND +environment = 'live'",
  );
  return subjects.map((subject, place) =>
    'checkId' in subject
      ? Number(ofCheck.get(subject.checkId, accountId)?.checks ?? 0)
      : (ofPerson.get(place) ?? 0),
  );
}

export function summarizeLabels(reader: DatabaseSync, accountId: string | undefined): LabelSummary {
  const { where, parameters } = ofAccount(accountId);
  const and = where === '' ? 'WHERE' : `${where} AND`;
  const count = (sql: string) => Number(reader.prepare(sql).get(...parameters)?.count ?? 0);
  const [good, bad] = LABELS.map((label) =>
    count(`SELECT count(*) AS count FROM labels l ${and} l.label = '${label}'`),
  );
  const byCheck = count(
    `SELECT count(*) AS count FROM labels l CROSS JOIN check_rows c ON c.id = l.check_id ${and} l.check_id IS NOT NULL
     AND c.environment = 'live'`,
  );
  const byPerson = count(
    ofPeople(
      `SELECT l.address_hmac, l.account_id FROM labels l ${and} l.address_hmac IS NOT NULL`,
      'count(*) AS count',
      'WHERE NOT EXISTS (SELECT 1 FROM labels own WHERE own.check_id = c.id)',
    ),
  );
  return { good: good ?? 0, bad: bad ?? 0, checks: byCheck + byPerson };
}

/** Of the labels `l`. */
function ofAccount(accountId: string | undefined) {
  const parameters: readonly SQLInputValue[] = accountId === undefined ? [] : [accountId];
  return { where: accountId === undefined ? '' : 'WHERE l.account_id = ?', parameters };
}

function toLabel(row: Readonly<Record<string, SQLOutputValue>>, checks: number): StoredLabel {
  const label = LABELS.find((known) => known === row.label);
  if (label === undefined) throw new Error(`a label is "${row.label}"`);
  const [checkId, addressHmac] = [textOf(row.check_id), textOf(row.address_hmac)];
  return {
    accountId: String(row.account_id),
    subject: checkId === null ? { addressHmac: addressHmac ?? '' } : { checkId },
    label,
    source: String(row.source),
    author: textOf(row.author),
    labelledAt: String(row.labelled_at),
    checks,
  };
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
