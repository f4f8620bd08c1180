import pg from 'pg';

/** Names that `makeDatabase` gives; the number is the process id of the maker. */
const TEST_DATABASE = /^postern_test_(\d+)_[0-9a-f]+$/;

/**
 * Drops databases of test processes that were killed before they could drop them. Only on a server of this machine, as process ids mean
 * nothing elsewhere. Resolves to the names of the dropped databases.
 */
export async function dropAbandonedDatabases(server: string): Promise<readonly string[]> {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(server).hostname)) return [];
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const abandoned = rows.map(({ datname }) => datname).filter(isAbandoned);
    for (const name of abandoned) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    return abandoned;
  } finally {
    await client.end();
  }
}

function isAbandoned(name: string): boolean {
  const pid = TEST_DATABASE.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
