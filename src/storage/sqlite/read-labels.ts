import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { LABELS } from '../../labels/label.ts';
import type { LabelSubject, LabelSummary, StoredLabel } from '../label-store.ts';

/** The checks that a label is for, whether or not one of their own outdoes it. */
const REACH = `CASE WHEN l.check_id IS NOT NULL
  THEN (SELECT count(*) FROM check_rows c WHERE c.id = l.check_id AND c.environment = 'live')
  ELSE (SELECT count(*) FROM check_rows c WHERE c.address_hmac = l.address_hmac AND c.account_id = l.account_id
    AND +c.environment = 'live') END`;

export function listLabels(
  reader: DatabaseSync,
  accountId: string | undefined,
  limit: number,
): readonly StoredLabel[] {
  const { where, parameters } = ofAccount('l', accountId);
  const rows = reader
    .prepare(
      `SELECT l.*, ${REACH} AS checks FROM labels l ${where} ORDER BY labelled_at DESC, rowid DESC LIMIT ?`,
    )
    .all(...parameters, limit);
  return rows.map(toLabel);
}

/** By the subjects' places. */
export function countReach(
  reader: DatabaseSync,
  accountId: string,
  subjects: readonly LabelSubject[],
): readonly number[] {
  const ofAddress = reader.prepare(
    "SELECT count(*) AS checks FROM check_rows WHERE address_hmac = ? AND account_id = ? AND +environment = 'live'",
  );
  const ofCheck = reader.prepare(
    "SELECT count(*) AS checks FROM check_rows WHERE id = ? AND +account_id = ? AND +environment = 'live'",
  );
  return subjects.map((subject) => {
    const found =
      'checkId' in subject
        ? ofCheck.get(subject.checkId, accountId)
        : ofAddress.get(subject.addressHmac, accountId);
    return Number(found?.checks ?? 0);
  });
}

export function summarizeLabels(reader: DatabaseSync, accountId: string | undefined): LabelSummary {
  const { where, parameters } = ofAccount('l', accountId);
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
    `SELECT count(*) AS count FROM labels l CROSS JOIN check_rows c
     ON c.address_hmac = l.address_hmac AND c.account_id = l.account_id ${and} l.address_hmac IS NOT NULL
     AND +c.environment = 'live' AND NOT EXISTS (SELECT 1 FROM labels own WHERE own.check_id = c.id)`,
  );
  return { good: good ?? 0, bad: bad ?? 0, checks: byCheck + byPerson };
}

function ofAccount(alias: string, accountId: string | undefined) {
  const parameters: readonly SQLInputValue[] = accountId === undefined ? [] : [accountId];
  return { where: accountId === undefined ? '' : `WHERE ${alias}.account_id = ?`, parameters };
}

function toLabel(row: Readonly<Record<string, SQLOutputValue>>): StoredLabel {
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
    checks: Number(row.checks),
  };
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
