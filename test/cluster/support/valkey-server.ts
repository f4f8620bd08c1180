import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { aClosedPort } from '../../support/closed-port.ts';
import { VALKEY } from './programs.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

/** A separate Valkey, or Redis, for one test; it stores nothing on the disk. */
export interface ValkeyServer {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** `more`: further options of its command line. */
export async function startValkeyServer(root: string, more: readonly string[] = []): Promise<ValkeyServer> {
  const directory = join(root, 'valkey');
  mkdirSync(directory);
  const port = await aClosedPort();
  let server: ServerProcess | undefined;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory, ...more];
  const start = async () => {
    server = await startProgram(VALKEY, args, {}, () => answersPing(port));
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: async () => server?.end('SIGKILL'),
  };
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const answer = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('data', (chunk) => answer(/^(?:\+PONG|-NOAUTH)/.test(chunk.toString())));
    socket.once('error', () => answer(false));
  });
}
