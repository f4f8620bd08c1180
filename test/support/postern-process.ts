import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/paths.ts';
import { type Answer, type SendOptions, transmit } from './transmit.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built `postern serve` as its own process. */
export interface PosternProcess {
  readonly dataDir: string;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<Exit>;
  /** Resolves with the ports of the ready line; rejects when the process ends before. */
  readonly ready: Promise<{ readonly httpsPort: number; readonly plainPort: number | null }>;
}

export interface SpawnOptions {
  readonly dataDir: string;
  /** Root folder of another Postern than the one under test. */
  readonly program?: string;
  /** Working directory. Where set, `--data-dir` is left out. */
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** File modes apply to the process even when tests run as root. */
  readonly isBoundByModes?: boolean;
  /** How many files the process may have open. */
  readonly openFiles?: number;
}

/** Runs as root without the capability to ignore file modes (capabilities(7)); setpriv is part of util-linux. */
const AS_ANYBODY = ['setpriv', '--bounding-set', '-dac_override', '--'];

export function spawnPostern(options: SpawnOptions): PosternProcess {
  const {
    dataDir,
    program = packageRoot,
    cwd,
    args = [],
    env = {},
    isBoundByModes = false,
    openFiles,
  } = options;
  const [command = '', ...rest] = [
    ...(isBoundByModes && process.getuid?.() === 0 ? AS_ANYBODY : []),
    ...(openFiles === undefined ? [] : ['prlimit', `--nofile=${openFiles}`, '--']),
    ...[process.execPath, join(program, 'bin/postern.js'), 'serve', '--port', '0'],
    ...(cwd === undefined ? ['--data-dir', dataDir] : []),
    ...args,
  ];
  const child = spawn(command, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<{ httpsPort: number; plainPort: number | null }>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const line = /^ready https:\/\/\S+:(\d+)$/m.exec(out);
      const plain = /^plain http:\/\/\S+:(\d+)$/m.exec(out);
      if (line) resolve({ httpsPort: Number(line[1]), plainPort: plain ? Number(plain[1]) : null });
    });
    void exited.then(({ code }) =>
      reject(new Error(`postern ended with ${code} before it was ready:\n${err}`)),
    );
  });
  // A test may await `exited` alone: a rejection of `ready` must not count as unhandled.
  ready.catch(() => undefined);
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return { dataDir, child, stdout: () => out, stderr: () => err, exited, ready };
}

/** The file that the first start leaves for the operator. */
export function firstRunOf({ dataDir }: Pick<PosternProcess, 'dataDir'>): string {
  return readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
}

/** The key that the first start made. */
export function keyOf(postern: Pick<PosternProcess, 'dataDir'>): string {
  const key = /^POSTERN_KEY=(pst_live_[0-9a-z]+)$/m.exec(firstRunOf(postern))?.[1];
  if (!key) throw new Error(`no key in:\n${firstRunOf(postern)}`);
  return key;
}

export interface Client {
  check(email: string): Promise<Answer>;
  close(): void;
}

/** A customer's backend that trusts the CA in the data directory. */
export function aClient(dataDir: string, port: number, key: string, options: SendOptions = {}): Client {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dataDir, 'tls/ca.pem')) });
  return {
    check: (email) =>
      transmit({
        agent,
        port,
        method: 'POST',
        path: '/v1/',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
        ...options,
      }),
    close: () => agent.destroy(),
  };
}
