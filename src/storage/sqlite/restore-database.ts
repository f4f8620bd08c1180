import { existsSync, renameSync } from 'node:fs';
import type { RevocationEntry } from '../revocation-log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** What an entry does to a database that does not know of it, and nothing to one that does. The first statement tells whom it concerned. */
const CARRIED_OVER: Readonly<Record<RevocationEntry['what'], readonly string[]>> = {
  log_begun: [],
  log_continued: [],
  key_revoked: ['UPDATE api_keys SET revoked_at = $at WHERE id = $id AND revoked_at IS NULL'],
  // One whose grace is over is revoked: it has no successor here, and rotated once more it would have another grace.
  key_ends: [
    `UPDATE api_keys SET expires_at = $until, revoked_at = iif($until <= $now, $until, NULL)
     WHERE id = $id AND revoked_at IS NULL AND expires_at IS NULL`,
  ],
  person_removed: ['DELETE FROM people WHERE id = $id'],
  roles_changed: [
    'UPDATE people SET operator_role = $role, updated_at = $at WHERE id = $id AND updated_at < $at',
    'DELETE FROM memberships WHERE person_id = (SELECT id FROM people WHERE id = $id AND updated_at = $at)',
    // Of accounts that are younger than the backup there is nothing to be a member of.
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
 * Brings a copy of a backup up to this version, and carries what was revoked since into it. All sessions and open links end: what
 * ended one of them is not known. `sessionKey` is the fingerprint of the key that is there; undefined where the next start
 * makes one. Resolves with how many keys, people or records each kind of entry concerned, and with the emails of those who need a new password.
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

/** Puts a database aside under another name, with what lies beside it: its last commits may stand in the log alone. */
export function putAside(file: string, aside: string): void {
  // First the database: where this is cut off, no start takes it for whole without its log.
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(file + end)) renameSync(file + end, aside + end);
  }
}
