import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'iovalkey';
import { findPrograms } from './programs.ts';

/** Of a Valkey or Redis 7 that tests may write to; without it the tests that need one are skipped. */
export const VALKEY_URL = process.env.POSTERN_TEST_VALKEY_URL ?? '';

/** A key prefix of a test file's own, which no other file's keys begin with. */
export function aKeyPrefix(): string {
  return `postern-test-${randomBytes(6).toString('hex')}:`;
}

/** Deletes every key with the prefix. */
export async function deleteKeys(prefix: string, url = VALKEY_URL): Promise<void> {
  const client = new Redis(url);
  try {
    // A scan yields lists of keys, which the library leaves untyped.
    for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 }) as AsyncIterable<
      string[]
    >)
      if (keys.length > 0) await client.unlink(keys);
  } finally {
    client.disconnect();
  }
}

/** A server of a test's own, which it may stop, start and flush. */
export interface ValkeyServer {
  readonly port: number;
  readonly url: string;
  /** Empty, on the same port; resolves once it answers. */
  start(): Promise<void>;
  /** As a crash would. Does nothing where it is stopped. */
  stop(): Promise<void>;
}

const PROGRAMS = findPrograms('redis-server');
export const HAS_VALKEY_SERVER = PROGRAMS['redis-server'] !== null;

/** Started, on a free port of loopback, without files. */
export async function startValkeyServer({ password }: { password?: string } = {}): Promise<ValkeyServer> {
  const port = await freePort();
  let running: ChildProcess | undefined;
  const server: ValkeyServer = {
    port,
    url: `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`,
    async start() {
      const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', requirepass: password ?? '' };
      const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
      running = spawn(PROGRAMS['redis-server'] ?? 'redis-server', words, { cwd: '/tmp', stdio: 'ignore' });
      await answers(server.url);
    },
    async stop() {
      const process = running;
      running = undefined;
      if (!process) return;
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    },
  };
  await server.start();
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  for (let tries = 0; ; tries += 1) {
    try {
      await client.connect();
      break;
    } catch (error) {
      if (tries === 200) throw error;
      await setTimeout(25);
    }
  }
  client.disconnect();
}
