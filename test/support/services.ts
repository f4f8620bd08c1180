import { dropAbandonedDatabases } from './abandoned-databases.ts';

/** Services that some tests need and that nothing starts for them; what they are, and where they answer. */
export const TEST_SERVICES = {
  PostgreSQL: process.env.POSTERN_TEST_POSTGRES_URL,
  'Valkey or Redis': process.env.POSTERN_TEST_VALKEY_URL,
};

const VARIABLES = { PostgreSQL: 'POSTERN_TEST_POSTGRES_URL', 'Valkey or Redis': 'POSTERN_TEST_VALKEY_URL' };

/** A line that says which tests are skipped, for the person who runs them; undefined where none are. */
export function leftOut(services: Readonly<Record<string, string | undefined>>): string | undefined {
  const absent = Object.entries(VARIABLES).filter(([service]) => !services[service]);
  if (absent.length === 0) return undefined;
  const names = absent.map(([service]) => service).join(' and ');
  return `Left out: tests that need ${names} (${absent.map(([, variable]) => variable).join(', ')} not set)`;
}

const PREPARED = Symbol.for('postern.tests.prepared');

/** For vitest's `globalSetup`, which each project calls, and one is enough. */
export default async function prepare(): Promise<void> {
  const run = globalThis as { [PREPARED]?: boolean };
  if (run[PREPARED]) return;
  run[PREPARED] = true;
  const line = leftOut(TEST_SERVICES);
  if (line !== undefined) console.log(line);
  const { PostgreSQL: server } = TEST_SERVICES;
  if (server) await dropAbandonedDatabases(server);
}
