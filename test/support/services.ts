import { dropAbandonedDatabases } from './abandoned-databases.ts';

/** Addresses of services that some tests need and do not start themselves; undefined where not set. */
export const TEST_SERVICES = {
  PostgreSQL: process.env.POSTERN_TEST_POSTGRES_URL,
  'Valkey or Redis': process.env.POSTERN_TEST_VALKEY_URL,
};

const VARIABLES = { PostgreSQL: 'POSTERN_TEST_POSTGRES_URL', 'Valkey or Redis': 'POSTERN_TEST_VALKEY_URL' };

/** A line for the console that says which tests are skipped; undefined where none are. */
export function leftOut(services: Readonly<Record<string, string | undefined>>): string | undefined {
  const absent = Object.entries(VARIABLES).filter(([service]) => !services[service]);
  if (absent.length === 0) return undefined;
  const names = absent.map(([service]) => service).join(' and ');
  return `Left out: tests that need ${names} (${absent.map(([, variable]) => variable).join(', ')} not set)`;
}

const PREPARED = Symbol.for('postern.tests.prepared');

/** For vitest's `globalSetup`. Each project calls it; only the first call does the work. */
export default async function prepare(): Promise<void> {
  const run = globalThis as { [PREPARED]?: boolean };
  if (run[PREPARED]) return;
  run[PREPARED] = true;
  const line = leftOut(TEST_SERVICES);
  if (line !== undefined) console.log(line);
  const { PostgreSQL: server } = TEST_SERVICES;
  if (server) await dropAbandonedDatabases(server);
}
