import { join } from 'node:path';
import type { Config } from '../../app/config/config.ts';
import {
  findSecret,
  fingerprintOf,
  putSecret,
  SECRET_NAMES,
  SECRETS,
  type SecretFiles,
  type SecretName,
  secretFile,
} from '../secret-store.ts';
import { type CopyDatabase, CopyRefused } from './copy-database.ts';

/** Where a secret is after the copy. */
export interface CopiedSecret {
  readonly name: SecretName;
  /** Null where it is in the target itself. */
  readonly file: string | null;
  /** The setting that every service needs to find the file; null where none is needed. */
  readonly setting: string | null;
}

/**
 * Puts the secrets that the source was used with where a service of the target looks for them: into the configured files, else into the
 * PostgreSQL database itself, or into the data directory for SQLite. Throws CopyRefused where a secret is not found, or another one is in
 * its place.
 */
export async function copySecrets(
  source: CopyDatabase,
  target: CopyDatabase,
  config: Pick<Config, 'dataDir'> & SecretFiles,
): Promise<readonly CopiedSecret[]> {
  const copied: CopiedSecret[] = [];
  for (const name of SECRET_NAMES) {
    const { setting, made } = SECRETS[name];
    const standard = join(config.dataDir, 'secrets', `${name}.key`);
    const file = secretFile(name, config) ?? standard;
    const isConfigured = file !== standard;
    const secret = await findUsed(name, file, source);
    if (secret === undefined) continue;
    const isInDatabase = target.kind === 'postgres' && !isConfigured;
    await target.query('DELETE FROM service_state WHERE name = ?', [made]);
    if (isInDatabase) {
      const values = [made, secret.toString('base64')];
      await target.query('INSERT INTO service_state (name, value) VALUES (?, ?)', values);
    } else {
      const there = await findSecret(name, file);
      if (there === undefined) await putSecret(file, secret);
      else if (!secret.equals(there))
        throw new CopyRefused(`${file} is another key than ${source.name} was used with: move it away`);
    }
    copied.push({ name, file: isInDatabase ? null : file, setting: isConfigured ? setting : null });
  }
  return copied;
}

async function findUsed(name: SecretName, file: string, source: CopyDatabase): Promise<Buffer | undefined> {
  const find = async (state: string) =>
    (await source.query('SELECT value FROM service_state WHERE name = ?', [state]))[0]?.value;
  const known = await find(SECRETS[name].state);
  const stored = await find(SECRETS[name].made);
  const inFile = await findSecret(name, file);
  const found = [...(stored === undefined ? [] : [Buffer.from(String(stored), 'base64')]), inFile];
  const used = found.find((secret) => secret && (!known || fingerprintOf(secret) === known));
  if (used !== undefined || known === undefined) return used;
  const what = inFile === undefined ? 'is not there' : 'is another key';
  throw new CopyRefused(
    `${SECRETS[name].setting}: ${source.name} was used with a key, and ${file} ${what}: name the data directory of its service (--data-dir), or the file`,
  );
}
