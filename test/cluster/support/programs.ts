import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPrograms } from '../../support/programs.ts';

/** Debian keeps the programs of PostgreSQL's server outside PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const found = findPrograms('haproxy', 'redis-server');

export const HAPROXY = found.haproxy ?? '';
export const VALKEY = found['redis-server'] ?? '';
export const POSTGRES_BIN = findPostgres() ?? '';

/** Why a cluster cannot be started here; null where it can. */
export const whyNoCluster = missing();

function findPostgres(): string | undefined {
  if (!existsSync(POSTGRES_VERSIONS)) return undefined;
  return readdirSync(POSTGRES_VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRES_VERSIONS, version, 'bin'))
    .find((directory) => existsSync(join(directory, 'initdb')));
}

function missing(): string | null {
  const needed = { haproxy: HAPROXY, 'redis-server': VALKEY, postgresql: POSTGRES_BIN };
  const names = Object.entries(needed).flatMap(([name, path]) => (path === '' ? [name] : []));
  return names.length === 0 ? null : `not installed: ${names.join(', ')}`;
}
