import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { createSecret, type Environment, hashSecret } from '../../src/accounts/key.ts';
import { KeyService } from '../../src/accounts/key-service.ts';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createLogger, type Logger } from '../../src/observability/logger.ts';
import type { Clock } from '../../src/provider-kit/index.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { type DnsServer, startDnsServer, type Zone } from './dns-server.ts';
import {
  holdRecords,
  isShared,
  makeSharedSettings,
  type Row,
  readRows,
  writeRow,
} from './service-database.ts';
import { type Answer, type SendOptions, transmit } from './transmit.ts';

/** Names that the tests' DNS server knows. */
export const ZONE: Zone = {
  'example.com': { MX: [{ exchange: 'mx.example.com', preference: 10 }] },
  'mx.example.com': { A: ['203.0.113.10'] },
  'gmail.com': { MX: [{ exchange: 'mx.example.com', preference: 5 }] },
  'firm.example': { MX: [{ exchange: 'aspmx.l.google.com', preference: 1 }] },
  'no-mail.example': { A: ['203.0.113.11'] },
};

/** A whole service on free loopback ports, with its own data directory, rules and DNS. */
export interface TestService {
  readonly key: string;
  readonly dataDir: string;
  /** Path of the link with which the first owner signs in; null where the dashboard is off. */
  readonly setupPath: string | null;
  readonly dns: DnsServer;
  readonly httpsPort: number;
  readonly plainPort: number | null;
  readonly metricsPort: number | null;
  /** Sends the request as given, with nothing added. */
  send(options: SendOptions): Promise<Answer>;
  /** `POST /v1/` with the first key. */
  check(email: unknown, options?: SendOptions): Promise<Answer>;
  /** Makes another key of the first account; resolves to its secret. */
  createKey(environment: Environment): Promise<string>;
  /** Opens the database a second time, as another process would, and closes it after `work`. */
  withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T>;
  /** Rows of its database. Each ? in the statement is a value. */
  rows(sql: string, ...values: readonly string[]): Promise<readonly Row[]>;
  /** Writes to its database. Each ? in the statement is a value. */
  write(sql: string, ...values: readonly string[]): Promise<void>;
  /** Blocks the recording of checks until the returned function is called. */
  holdRecords(): Promise<() => Promise<void>>;
  /** Manages keys as another process would, over `withStorage`. */
  manageKeys<T>(work: (keys: KeyService) => Promise<T>): Promise<T>;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestService(
  settings: Record<string, unknown> = {},
  {
    dnsTimeoutMs = 300,
    clock = systemClock,
    zone = {},
    log = createLogger('silent'),
  }: { dnsTimeoutMs?: number; clock?: Clock; zone?: Zone; log?: Logger } = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postern-service-'));
  const dns = await startDnsServer({ ...ZONE, ...zone });
  const file = join(dataDir, 'test.yaml');
  const shared = isShared && settings.storage === undefined ? await makeSharedSettings() : null;
  const ours = { dns: { servers: [dns.address], timeout_ms: dnsTimeoutMs }, ...shared?.settings };
  writeFileSync(file, stringify({ ...ours, ...settings }));
  const loaded = await loadConfig({ dataDir, files: [file], env: {}, cwd: dataDir, port: 0 });
  const service = await startService(loaded, log, clock);
  if (!service.firstKey || !service.caFile) throw new Error('a first start makes a key and an authority');
  const key = service.firstKey;
  const agent = new Agent({ keepAlive: true, ca: readFileSync(service.caFile) });
  const send = (options: SendOptions) => transmit({ agent, port: service.httpsPort, ...options });
  const withStorage = async <T>(work: (storage: Storage) => Promise<T>) => {
    const storage = await openStorage(loaded.config.storage, { durability: 'commit' });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };

  return {
    key,
    dataDir,
    setupPath: service.setupPath,
    dns,
    httpsPort: service.httpsPort,
    plainPort: service.plainPort,
    metricsPort: service.metricsPort,
    send,
    check: (email, options = {}) =>
      send({
        method: 'POST',
        path: '/v1/',
        ...options,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...options.headers },
        body: options.body ?? JSON.stringify({ email }),
      }),
    createKey: (environment) =>
      withStorage(async ({ accounts, keys }) => {
        const [account] = await accounts.list();
        const { text, prefix } = createSecret(environment);
        const key = { id: `key_${prefix}`, accountId: account?.id ?? '', environment, name: null, prefix };
        await keys.create({ ...key, createdAt: new Date(0).toISOString(), hash: hashSecret(text) });
        return text;
      }),
    withStorage,
    rows: (sql, ...values) => readRows(loaded.config.storage.url, sql, values),
    write: (sql, ...values) => writeRow(loaded.config.storage.url, sql, values),
    holdRecords: () => holdRecords(loaded.config.storage.url),
    manageKeys: (work) =>
      withStorage(({ accounts, keys }) =>
        work(new KeyService(accounts, keys, clock, createLogger('silent'))),
      ),
    reload: () => service.reload(),
    async stop() {
      agent.destroy();
      await service.stop();
      await dns.close();
      await shared?.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Asserts status, envelope and content type of a refusal against the table of errors. */
export function expectRefusal(answer: Answer, code: ErrorCode): void {
  expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({
    status: ERRORS[code].status,
    code,
  });
  expect(answer.headers['content-type']).toBe('application/json');
  const { details: _details, ...fixed } = answer.json.error;
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(fixed).toEqual({ code, message: ERRORS[code].message, request_id: answer.headers['request-id'] });
}
