import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { aClosedPort } from './closed-port.ts';
import { findPrograms } from './programs.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const { pgbouncer: PGBOUNCER } = findPrograms('pgbouncer');

/** A PgBouncer in transaction mode before the server of this address, until the test's end, as its package configures it else. Its address. */
export async function aPgBouncer(server: string): Promise<string> {
  const directory = temporaryDirectory();
  // As root it refuses to run; who else it runs as must read this.
  chmodSync(directory, 0o755);
  const port = await aClosedPort();
  const { hostname, port: serverPort, username, pathname } = new URL(server);
  writeFileSync(
    join(directory, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${serverPort || 5432} user=${username || 'postgres'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
`,
  );
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const started = spawn(PGBOUNCER ?? '', ['-q', ...asUser, join(directory, 'pgbouncer.ini')], {
    stdio: 'ignore',
  });
  const ended = once(started, 'exit');
  onTestFinished(async () => {
    started.kill('SIGKILL');
    await ended;
  });
  while (!(await answers(port))) {
    if (started.exitCode !== null) throw new Error('PgBouncer does not start');
    await wait(20);
  }
  return `postgres://postern@127.0.0.1:${port}${pathname}`;
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}
