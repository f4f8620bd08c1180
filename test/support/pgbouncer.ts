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

/** SSLRequest of https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export const { pgbouncer: PGBOUNCER } = findPrograms('pgbouncer');

/** Starts PgBouncer in transaction mode, otherwise with its defaults, in front of `server` until the test ends. Resolves to its address. */
export async function aPgBouncer(server: string): Promise<string> {
  const directory = temporaryDirectory();
  // PgBouncer refuses to run as root, and the user that it runs as must read this directory.
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
  const started = spawn(PGBOUNCER ?? '', [...asUser, join(directory, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  started.stderr.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const ended = once(started, 'close');
  const hasEnded = () => started.exitCode !== null || started.signalCode !== null;
  const saysWhy = () => new Error(`PgBouncer ended with ${started.exitCode ?? started.signalCode}:\n${log}`);
  onTestFinished(async () => {
    const why = hasEnded() ? saysWhy() : null;
    started.kill('SIGKILL');
    await ended;
    if (why) throw why;
  });
  while (!(await answers(port))) {
    if (hasEnded()) throw saysWhy();
    await wait(20);
  }
  return `postgres://postern@127.0.0.1:${port}${pathname}`;
}

/** Whether a server on `port` speaks PostgreSQL's protocol: it answers an SSLRequest with one byte. */
function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => socket.write(SSL_REQUEST));
  socket.once('data', () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', () => resolve(false));
  socket.once('close', () => resolve(false));
  return promise;
}
