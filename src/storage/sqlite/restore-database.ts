import { existsSync, renameSync } from 'node:fs';
import type { RevocationEntry } from '../revocation-log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** SQL that applies an entry. Idempotent: no effect where the database knows the entry. The rows of the first statement are counted. */
const CARRIED_OVER: Readonly<Record<RevocationEntry['what'], readonly string[]>> = {
  log_begun: [],
  log_continued: [],
  key_revoked: ['UPDATE api_keys SET revoked_at = $at WHERE id = $id AND revoked_at IS NULL'],
  // A key whose grace period is over is revoked: it has no successor here, so it could be rotated again for another grace period.
  key_ends: [
    `UPDATE api_keys SET expires_at = $until, revoked_at = iif($until <= $now, $until, NULL)
     WHERE id = $id AND revoked_at IS NULL AND expires_at IS NULL`,
  ],
  person_removed: ['DELETE FROM people WHERE id = $id'],
  roles_changed: [
    'UPDATE people SET operator_role = $role, updated_at = $at WHERE id = $id AND updated_at < $at',
    'DELETE FROM memberships WHERE person_id = (SELECT id FROM people WHERE id = $id AND updated_at = $at)',
    // Memberships of accounts that are younger than the backup are left out: those accounts do not exist here.
    `INSERT INTO memberships (person_id, account_id, role)
     SELECT people.id, accounts.id, value ->> 'role' FROM json_each($memberships)
     JOIN accounts ON accounts.id = value ->> 'account_id' JOIN people ON people.id = $id AND updated_at = $at`,
  ],
  password_changed: [
    `UPDATE credentials SET password = NULL
     WHERE person_id = $id AND provider = 'credential' AND updated_at < $at AND password IS NOT NULL`,
  ],
  person_erased: [
    'DELETE FROM checks WHERE address_hmac = $id AND created_at <= $at',
    'DELETE FROM labels WHERE address_hmac = $id AND recorded_at <= $at',
  ],
  records_erased: [
    'DELETE FROM checks WHERE created_at <= $at',
    'DELETE FROM labels WHERE recorded_at <= $at',
  ],
};

/**
 * Brings a copy of a backup to this version, and applies the revocations since to it. Ends all sessions and open links, because which
 * of them had ended is not known. `sessionKey` is the fingerprint of the session key; undefined where the next start makes a key.
 * Resolves to how many keys, people or records each kind of entry changed, and the emails of people who need a new password.
 */
export async function bringUpToDate(
  copy: string,
  entries: readonly RevocationEntry[],
  sessionKey: string | undefined,
  now: string,
) {
  await migrate(copy);
  using database = openDatabase(copy, 0);
  const carried: Partial<Record<RevocationEntry['what'], number>> = {};
  database.exec('BEGIN IMMEDIATE; DROP TABLE IF EXISTS backup_notes; DELETE FROM sessions');
  for (const { at, what, id = null, until = null, roles } of entries) {
    const role = roles?.operator_role ?? null;
    const memberships = JSON.stringify(roles?.memberships ?? []);
    const [concerned] = CARRIED_OVER[what].map((sql) => {
      const statement = database.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      return Number(statement.run({ now, at, id, until, role, memberships }).changes);
    });
    if (concerned) carried[what] = (carried[what] ?? 0) + concerned;
  }
  const end = database.prepare(
    'UPDATE one_time_links SET revoked_at = ? WHERE used_at IS NULL AND revoked_at IS NULL',
  );
  end.run(now);
  database.exec("DELETE FROM service_state WHERE name = 'session_key'");
  const keep = database.prepare("INSERT INTO service_state (name, value) VALUES ('session_key', ?)");
  if (sessionKey !== undefined) keep.run(sessionKey);
  const passwords = database.prepare(
    'SELECT email FROM people WHERE id IN (SELECT person_id FROM credentials WHERE password IS NULL) ORDER BY email',
  );
  const withoutPassword = passwords.all().map(({ email }) => String(email));
  database.exec('COMMIT');
  return { carried, withoutPassword };
}

/** Renames a database with its log files: the last commits may be in the log alone. */
export function putAside(file: string, aside: string): void {
  // The database first: where a crash cuts this short, no start opens the database without its log.
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(file + end)) renameSync(file + end, aside + end);
  }
}
