import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'iovalkey';
import pg from 'pg';

/** A new database on a PostgreSQL server, and a Valkey or Redis, for services that share them. */
export interface SharedStores {
  readonly config: Readonly<Record<string, unknown>>;
  /** CPU time in µs that both servers' processes have used so far; NaN where they run on another machine. */
  cpuUs(): number;
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** Uses the servers of the tests; null where the environment does not name both. */
export async function openSharedStores(): Promise<SharedStores | null> {
  const { POSTERN_TEST_POSTGRES_URL: postgresUrl, POSTERN_TEST_VALKEY_URL: valkeyUrl } = process.env;
  if (!postgresUrl || !valkeyUrl) return null;
  const name = `postern_bench_${process.pid}_${Date.now()}`;
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  await run(postgresUrl, `CREATE DATABASE ${name}`);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const postmaster = readProcess(Number(rows[0]?.pid))?.parent;
  const valkey = new Redis(valkeyUrl);
  const valkeyPid = Number(/^process_id:(\d+)/m.exec(await valkey.info('server'))?.[1]);
  valkey.disconnect();
  return {
    config: { storage: { url: url.href }, shared_state: { url: valkeyUrl } },
    cpuUs() {
      if (postmaster === undefined) return Number.NaN;
      const processes = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
      const used = processes.map(Number).map((pid) => {
        const found = readProcess(pid);
        if (!found) return 0;
        if (pid === postmaster) return found.ownUs + found.childrenUs;
        return found.parent === postmaster || pid === valkeyPid ? found.ownUs : 0;
      });
      return used.reduce((sum, us) => sum + us, 0);
    },
    query: async (sql) => (await client.query(sql)).rows,
    async close() {
      await client.end();
      await run(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** proc(5): fields are numbered after the name in brackets; times are in ticks of 10 ms. */
function readProcess(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const us = (from: number) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * 10_000;
    return { parent: fields[1] ?? 0, ownUs: us(11), childrenUs: us(13) };
  } catch {
    // The process has ended, or there is no /proc.
    return undefined;
  }
}
