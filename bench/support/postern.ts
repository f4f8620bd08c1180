import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';
import { writeConfig } from './postern-config.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** The built service with its own data directory. */
export interface Postern extends ServerProcess {
  readonly key: string;
  readonly dataDir: string;
}

export interface PosternOptions {
  /** Made where missing. Must be empty unless `key` is given, so that the first start makes a key. */
  readonly dataDir: string;
  /** `host:port` of the DNS server that knows the addresses' domains. */
  readonly dns: string;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Arguments for node itself, before the script. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The key, where another instance has already made one in the same database. */
  readonly key?: string;
}

export async function startPostern({
  dataDir,
  dns,
  config = {},
  nodeArgs = [],
  env = {},
  key,
}: PosternOptions): Promise<Postern> {
  mkdirSync(dataDir, { recursive: true });
  const file = writeConfig(dataDir, dns, config);
  const args = [
    ...nodeArgs,
    join(root, 'bin/postern.js'),
    'serve',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--config',
    file,
  ];
  const server = await startServer({ args, env, logFile: join(dataDir, 'log.jsonl') });
  return { ...server, key: key ?? firstKey(dataDir), dataDir };
}

function firstKey(dataDir: string): string {
  const file = join(dataDir, 'first-run.txt');
  const key = /pst_live_[0-9a-z]+/.exec(readFileSync(file, 'utf8'))?.[0];
  if (key === undefined) throw new Error(`no key in ${file}`);
  return key;
}

/** The CA to trust, in PEM. */
export function authorityOf({ dataDir }: Postern): string {
  return readFileSync(join(dataDir, 'tls/ca.pem'), 'utf8');
}
