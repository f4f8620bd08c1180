import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { counted } from '../../lib/statistics.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { ReadRevocations, RevocationEntry } from '../revocation-log.ts';

/** One text for each kind of fault that was found. */
export type Faults = readonly string[];

/** Some milliseconds of reading, between which the log can be emptied. */
const ROWS_AT_ONCE = 2_000;
/** As many as a person reads. */
const MOST_FAULTS = 5;

/** Records whose ledger does not add up to their score. */
export function faultsOfLedgers(
  database: DatabaseSync,
  onRead: (rows: number, ofRows: number) => void,
): Faults {
  const { first, last } =
    database.prepare('SELECT min(rowid) AS first, max(rowid) AS last FROM checks').get() ?? {};
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  const find = database.prepare(`SELECT id FROM checks WHERE rowid >= ? AND rowid < ?
    AND risk_score IS NOT iif(json_valid(ledger), (SELECT sum(value ->> 'points') FROM json_each(ledger)), NULL)`);
  const ids: string[] = [];
  for (let from = first; from <= last; from += ROWS_AT_ONCE) {
    ids.push(...find.all(from, from + ROWS_AT_ONCE).map(({ id }) => String(id)));
    onRead(Math.min(from + ROWS_AT_ONCE, last) - first, last - first);
  }
  const fault = `the ledger of ${counted(ids.length, 'record')} does not add up to the score: ${some(ids)}`;
  return ids.length === 0 ? [] : [fault];
}

interface Bounds {
  readonly revocations: ReadRevocations;
  /** `retention.days` */
  readonly days: number;
  readonly now: number;
}

/** Months for which `usage` and the records of an account differ. Fewer records are a fault only where all of the month must be there. */
export function faultsOfUsage(database: DatabaseSync, { revocations, days, now }: Bounds): Faults {
  const months = database
    .prepare(`
    SELECT coalesce(u.account_id, r.account_id) AS account, coalesce(u.month, r.month) AS month,
      coalesce(u.checks, 0) AS used, coalesce(r.records, 0) AS records
    FROM usage u FULL JOIN (
      SELECT account_id, substr(created_at, 1, 7) AS month, count(*) AS records
      FROM checks WHERE environment = 'live' GROUP BY 1, 2
    ) r ON r.account_id = u.account_id AND r.month = u.month`)
    .all();
  const one = (sql: string) => String(database.prepare(sql).get()?.at ?? '');
  // Retention deletes the oldest records first, whatever `retention.days` was then.
  const oldest = one('SELECT min(created_at) AS at FROM checks').slice(0, 7);
  const kept = isoTime(now - days * DAY_MS);
  const { entries, since } = revocations;
  const begun = since !== null && since <= one('SELECT min(created_at) AS at FROM accounts') ? '' : since;
  const erased = entries.findLast(({ what }) => what.endsWith('_erased'))?.at ?? '';
  return months.flatMap(({ account, month, used, records }) => {
    const start = `${month}-01`;
    const isWhole = start > (begun ?? '9999') && start > erased && (String(month) > oldest || start >= kept);
    if (records === used || (Number(records) < Number(used) && !isWhole)) return [];
    return [`${account} has used ${used} checks of ${month}, and ${records} are on record`];
  });
}

/** SQL that finds a row where the database does not know an entry. */
const REVIVED: Readonly<Record<RevocationEntry['what'], string | null>> = {
  log_begun: null,
  log_continued: null,
  key_revoked: 'SELECT 1 FROM api_keys WHERE id = $id AND revoked_at IS NULL',
  key_ends: 'SELECT 1 FROM api_keys WHERE id = $id AND revoked_at IS NULL AND expires_at IS NULL',
  person_removed: 'SELECT 1 FROM people WHERE id = $id',
  roles_changed: 'SELECT 1 FROM people WHERE id = $id AND updated_at < $at',
  password_changed:
    'SELECT 1 FROM credentials WHERE person_id = $id AND updated_at < $at AND password IS NOT NULL',
  person_erased: `SELECT 1 FROM checks WHERE address_hmac = $id AND created_at <= $at
    UNION ALL SELECT 1 FROM labels WHERE address_hmac = $id AND recorded_at <= $at`,
  records_erased: `SELECT 1 FROM checks WHERE created_at <= $at
    UNION ALL SELECT 1 FROM labels WHERE recorded_at <= $at`,
};

/** Revocations that are in the log but not in the database. */
export function faultsOfRevocations(database: DatabaseSync, { entries, damaged }: ReadRevocations): Faults {
  const revived = entries.flatMap(({ what, at, id }) => {
    const sql = REVIVED[what];
    if (sql === null) return [];
    const find = database.prepare(sql);
    find.setAllowUnknownNamedParameters(true);
    if (!find.get({ id: id ?? null, at })) return [];
    return [`${what.replace('_', ' ')} at ${at}${id === undefined ? '' : `: ${id}`}`];
  });
  return [
    ...(damaged > 0 ? [`${counted(damaged, 'line')} cannot be read`] : []),
    ...(revived.length > 0 ? [`not so in the database: ${some(revived)}`] : []),
  ];
}

/** `faults`: files of versions that are not as they were stored. `inForce`: the files of the last version that was in force. */
export function readRuleVersions(database: DatabaseSync) {
  const texts = new Map<unknown, string>();
  for (const { digest, text } of database.prepare('SELECT digest, text FROM rule_texts').iterate()) {
    texts.set(digest, String(text));
  }
  const lost: string[] = [];
  let inForce: RuleFiles | undefined;
  const versions = database.prepare('SELECT version, reason, files FROM rule_versions ORDER BY version');
  for (const { version, reason, files } of versions.iterate()) {
    const digests = Object.entries<string>(JSON.parse(String(files)));
    const stored = digests.map(([path, digest]): [string, string] => [path, texts.get(digest) ?? '']);
    const isLost = ([, digest]: [string, string]) => hash('sha256', texts.get(digest) ?? '') !== digest;
    lost.push(...digests.filter(isLost).map(([path]) => `${path} of version ${version}`));
    if (reason !== 'draft') inForce = Object.fromEntries(stored);
  }
  const fault = `${counted(lost.length, 'file')} changed since it was stored: ${some(lost)}`;
  return { faults: lost.length === 0 ? [] : [fault], inForce };
}

function some(texts: readonly string[]): string {
  return texts.slice(0, MOST_FAULTS).join(', ') + (texts.length > MOST_FAULTS ? ', …' : '');
}
