import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { aClosedPort } from '../../support/closed-port.ts';
import { POSTGRES_BIN } from './programs.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

/** A PostgreSQL of the test's own, with one empty database. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  /** Rows of one query, over a new connection. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A fast shutdown, as in an operator's restart: ends connections and rolls back open transactions. */
  stop(): Promise<void>;
  /** Resolves when the server accepts connections. */
  start(): Promise<void>;
}

const DATABASE = 'postern';
/** Each instance has a pool, a listener, and child processes that search records. */
const MOST_CONNECTIONS = 200;

export async function startPostgresServer(root: string): Promise<PostgresServer> {
  const directory = join(root, 'postgres');
  mkdirSync(directory);
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
  if (user) chownSync(directory, user.uid, user.gid);
  execFileSync(
    join(POSTGRES_BIN, 'initdb'),
    ['-D', directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, stdio: 'pipe', cwd: directory },
  );
  const port = await aClosedPort();
  const urlOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  let server: ServerProcess | undefined;
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: MOST_CONNECTIONS,
    shared_buffers: '64MB',
    log_statement: 'none',
  };
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  const ask = async (name: string, text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: urlOf(name) });
    // A server that stops ends idle connections with an error event.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const isUp = () =>
    ask('postgres', 'SELECT 1').then(
      () => true,
      () => false,
    );
  const start = async () => {
    const command = join(POSTGRES_BIN, 'postgres');
    server = await startProgram(command, ['-D', directory, '-p', String(port), ...args], user ?? {}, isUp);
  };
  await start();
  await ask('postgres', `CREATE DATABASE ${DATABASE}`);

  return {
    port,
    url: urlOf(DATABASE),
    query: (text, values) => ask(DATABASE, text, values),
    start,
    // SIGINT is a fast shutdown: https://www.postgresql.org/docs/15/server-shutdown.html
    stop: async () => server?.end('SIGINT'),
  };
}

function idsOf(name: string) {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
