import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VALKEY } from '../../cluster/support/programs.ts';
import { startValkeyServer, type ValkeyServer } from '../../cluster/support/valkey-server.ts';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const MINUTE_MS = 60_000;
/** Long enough that an answer is late only where the test delays it. */
const TIMEOUT_MS = 300;

describe.skipIf(VALKEY === '')('a service whose Valkey', () => {
  const root = mkdtempSync(join(tmpdir(), 'postern-test-'));
  let valkey: ValkeyServer;
  let proxy: TcpProxy;
  let service: TestService;
  let now = Date.now();

  beforeAll(async () => {
    valkey = await startValkeyServer(root);
    proxy = await startTcpProxy(valkey.port);
    service = await startTestService(
      {
        shared_state: { url: `valkey://127.0.0.1:${proxy.port}`, timeout_ms: TIMEOUT_MS },
        rate_limit: { requests: 400, window_seconds: 3_600 },
      },
      { clock: { now: () => now } },
    );
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await valkey.stop();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => {
    // Earlier counts have expired.
    now += 31 * 24 * 60 * MINUTE_MS;
    proxy.delayMs = 0;
    proxy.mend();
  });

  /** A check with a key of its own, so that no limit of another test applies. */
  async function aClient() {
    const authorization = `Bearer ${await service.createKey('live')}`;
    return async (email: string) => {
      const answer = await service.check(email, { headers: { authorization } });
      now += 11 * MINUTE_MS;
      return answer;
    };
  }

  async function recordOf(id: unknown) {
    const [row] = await service.rows('SELECT facts, unknown FROM checks WHERE id = ?', `${id}`);
    const of = (text: unknown): [string, unknown][] =>
      Object.entries(JSON.parse(`${text}`)).filter(([fact]) => fact.startsWith('velocity.'));
    return { facts: of(row?.facts), unknown: of(row?.unknown) };
  }
  const countOf = async (id: unknown) =>
    Object.fromEntries((await recordOf(id)).facts)['velocity.canonical_24h'];

  /** An answer with its counts: on a busy machine, an answer of Valkey may be late now and then. */
  async function counted(check: Awaited<ReturnType<typeof aClient>>, email: string) {
    for (let tries = 0; tries < 300; tries += 1) {
      const { headers, json } = await check(email);
      if (headers['postern-degraded'] === undefined) return json;
    }
    throw new Error('nothing is counted any more');
  }

  it.each([
    ['is cut off', () => proxy.cut()],
    [
      'is slower than a request waits',
      () => {
        proxy.delayMs = 1_500;
      },
    ],
  ])(
    '%s answers with velocity unknown and a score that is not higher, and counts again afterwards',
    async (_, begin) => {
      const check = await aClient();
      const scores = [];
      for (let n = 0; n < 8; n += 1) {
        const json = await counted(check, 'bulk@example.com');
        expect(await countOf(json.id)).toBe(n + 1);
        scores.push(json.summary.risk_score);
      }
      begin();
      for (let n = 0; n < 3; n += 1) {
        const began = performance.now();
        const { status, headers, json } = await check('bulk@example.com');
        expect([status, headers['postern-degraded']]).toEqual([200, 'velocity']);
        expect(performance.now() - began).toBeLessThan(1_000);
        const { facts, unknown } = await recordOf(json.id);
        expect(facts.map(([, value]) => value)).toEqual(facts.map(() => null));
        expect(unknown).toEqual(facts.map(([fact]) => [fact, 'error']));
        expect(json.summary.risk_score).toBeLessThanOrEqual(Math.min(...scores));
      }
      proxy.delayMs = 0;
      proxy.mend();
      // Checks that were answered without their counts are not counted later.
      const json = await counted(check, 'bulk@example.com');
      expect(await countOf(json.id)).toBe(9);
    },
  );

  it('that is unreachable still enforces the rate limit of a key, and answers no 5xx', async () => {
    const check = await aClient();
    proxy.cut();
    const statuses = [];
    for (let n = 0; n < 410; n += 1) statuses.push((await check(`user${n}@example.com`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(400);
    expect([...new Set(statuses)]).toEqual([200, 429]);
    expectRefusal(await check('jane@example.com'), 'rate_limited');
  });

  it('that is unreachable still limits clients that keep trying wrong keys', async () => {
    proxy.cut();
    const headers = { authorization: 'Bearer pst_live_no-key' };
    const statuses = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await service.check('a@example.com', { headers })).status);
    expect(statuses.slice(0, 20)).toEqual(statuses.slice(0, 20).map(() => 401));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});
