import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/lib/paths.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { keyOf } from '../support/postern-process.ts';
import { transmit } from '../support/transmit.ts';
import type { Listeners } from './connection.ts';
import { LogReader } from './log-reader.ts';

/** What the service's process holds, after a full garbage collection. */
export interface Holding {
  readonly heapUsed: number;
  readonly rss: number;
  readonly arrayBuffers: number;
  /** Of these, the tables of counts, which double when they must, up to a bound: `postern_counts_bytes`. */
  readonly counts: number;
  readonly sockets: number;
  readonly timers: number;
}

export interface ServiceUnderFuzz {
  readonly listeners: Listeners;
  readonly liveKey: string;
  readonly testKey: string;
  readonly log: LogReader;
  isAlive(): boolean;
  /** Once no connection is left; rejects when some stay beyond the service's own time-outs. */
  measureAtRest(): Promise<Holding>;
  /** SIGTERM; resolves with what went wrong in ending. */
  stop(): Promise<string[]>;
}

/** Short, so that thousands of half-open sockets pass in a run; long enough that a busy machine keeps them. */
export const TIMEOUTS = { headersMs: 4000, requestMs: 5000, idleMs: 2500 };
/** Every time-out of the service together, and as much again for a busy machine. */
export const DEADLINE_MS = 20_000;

/** Far beyond what a run can use up. */
const MANY = '1000000000';
const METRICS_TOKEN = 'a-token-that-no-case-sends';

/** The built service in its own process, on free ports, with a DNS server that knows a few names. */
export async function startServiceUnderFuzz(
  dataDir: string,
  secrets: RegExp,
  onLog: (text: string) => void = () => {},
): Promise<ServiceUnderFuzz> {
  const dns = await startDnsServer({
    'example.com': { MX: [{ exchange: 'mx.example.com', preference: 10 }] },
    'mx.example.com': { A: ['203.0.113.10'] },
    'gmail.com': { MX: [{ exchange: 'mx.example.com', preference: 5 }] },
  });
  const env = {
    ...process.env,
    POSTERN__DNS__SERVERS: JSON.stringify([dns.address]),
    POSTERN__HTTP__HEADERS_TIMEOUT_MS: String(TIMEOUTS.headersMs),
    POSTERN__HTTP__REQUEST_TIMEOUT_MS: String(TIMEOUTS.requestMs),
    POSTERN__HTTP__IDLE_TIMEOUT_MS: String(TIMEOUTS.idleMs),
    // Room for JSON that is nested 10,000 deep.
    POSTERN__HTTP__BODY_LIMIT_BYTES: '65536',
    POSTERN__HTTP__TRUSTED_PROXIES: '["127.0.0.1"]',
    POSTERN__RATE_LIMIT__REQUESTS: MANY,
    POSTERN__QUOTA__CHECKS_PER_MONTH: MANY,
    // Opens /metrics, to those who know it.
    POSTERN__METRICS__TOKEN: METRICS_TOKEN,
    POSTERN__LOG__LEVEL: 'debug',
  };
  const bin = join(packageRoot, 'bin/postern.js');
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--import',
      new URL('service-probe.js', import.meta.url).href,
      bin,
      ...['serve', '--data-dir', dataDir, '--port', '0'],
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const log = new LogReader(secrets);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log.read(text);
    onLog(text);
  });
  const { httpsPort, plainPort } = await readReady(child, exited);
  const liveKey = keyOf({ dataDir });
  const listeners = { httpsPort, plainPort, ca: readFileSync(join(dataDir, 'tls/ca.pem'), 'utf8') };

  return {
    listeners,
    liveKey,
    testKey: await createTestKey(bin, dataDir),
    log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async measureAtRest() {
      const giveUpAt = performance.now() + DEADLINE_MS;
      for (;;) {
        const holding = await measure(child);
        if (holding.sockets === 0) return { ...holding, counts: await readCounts(listeners) };
        if (performance.now() > giveUpAt) throw new Error(`${holding.sockets} sockets stay open`);
        await pause(100);
      }
    },
    async stop() {
      const wasAlive = child.exitCode === null && child.signalCode === null;
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
      const code = await exited;
      clearTimeout(cut);
      await dns.close();
      log.end();
      if (!wasAlive) return ['the service was gone'];
      return code === 0 ? [] : [`SIGTERM ended the service with ${code}`];
    },
  };
}

interface Ready {
  readonly httpsPort: number;
  readonly plainPort: number;
}

function readReady(child: ChildProcess, exited: Promise<unknown>): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const https = /^ready https:\/\/\S+:(\d+)$/m.exec(text)?.[1];
      const plain = /^plain http:\/\/\S+:(\d+)$/m.exec(text)?.[1];
      if (https && plain) resolve({ httpsPort: Number(https), plainPort: Number(plain) });
    });
    void exited.then((code) => reject(new Error(`the service ended with ${code} before it was ready`)));
  });
}

type Probed = Omit<Holding, 'counts'>;

function measure(child: ChildProcess): Promise<Probed> {
  return new Promise((resolve, reject) => {
    child.once('message', (probed) => resolve(probed as Probed));
    child.send('measure', (error) => error && reject(error));
  });
}

async function readCounts({ httpsPort: port, ca }: Listeners): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await transmit({ port, ca, path: '/metrics', headers, agent: false });
  const octets = /^postern_counts_bytes (\S+)$/m.exec(text)?.[1];
  if (octets === undefined) throw new Error(`/metrics does not tell postern_counts_bytes:\n${text}`);
  return Number(octets);
}

/** As an operator makes one, beside the running service. */
async function createTestKey(bin: string, dataDir: string): Promise<string> {
  const args = [bin, 'keys', 'create', '--account', 'default', '--env', 'test', '--data-dir', dataDir];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim();
}
