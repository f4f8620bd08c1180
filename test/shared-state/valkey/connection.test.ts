import { createSecretKey } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Redis } from 'iovalkey';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { examineSharedState } from '../../../src/cli/doctor/machine-and-servers.ts';
import { StartupError } from '../../../src/errors.ts';
import type { Logger } from '../../../src/observability/logger.ts';
import type { Metrics } from '../../../src/observability/metrics.ts';
import { examineValkey } from '../../../src/shared-state/valkey/connection.ts';
import {
  openValkeyState,
  type ValkeyState,
  type ValkeyStateOptions,
} from '../../../src/shared-state/valkey/open-valkey-state.ts';
import { VALKEY } from '../../cluster/support/programs.ts';
import { startValkeyServer } from '../../cluster/support/valkey-server.ts';
import { aClosedPort } from '../../support/closed-port.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { stateOptions } from '../../support/valkey.ts';
import { aWorldOfChecks } from '../contract.ts';

/** Long enough for a busy machine, and shorter than the time after which a silent connection is closed. */
const TIMEOUT_MS = 1_000;

/** An instance, its log, and how often it worked without Valkey; closed when the test is over. */
async function anInstance(url: string, options: Partial<ValkeyStateOptions> = {}) {
  const lines: unknown[][] = [];
  const say =
    (level: string) =>
    (...words: unknown[]) =>
      void lines.push([level, ...words]);
  const log = { info: say('info'), warn: say('warn'), error: say('error') } as unknown as Logger;
  const failures: string[] = [];
  const metrics: Metrics = {
    count: (name, labels) => void failures.push(`${name} ${Object.values(labels)}`),
    took: () => undefined,
    set: () => undefined,
  };
  const state = await openValkeyState({ ...stateOptions(url, TIMEOUT_MS), log, metrics, ...options });
  onTestFinished(() => state.close());
  return { state, lines, failures };
}

const connected = ({ state }: { readonly state: ValkeyState }) =>
  expect.poll(() => state.unsharedBecause(), { interval: 10 }).toBeUndefined();

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

describe.skipIf(VALKEY === '')('an instance whose Valkey is', () => {
  async function aServer(more: readonly string[] = []) {
    const server = await startValkeyServer(temporaryDirectory(), more);
    onTestFinished(() => server.stop());
    return server;
  }

  it('started later: it starts with a warning, works, and shares its state as soon as Valkey runs', async () => {
    const server = await aServer();
    await server.stop();
    const instance = await anInstance(server.url);
    const { state, lines, failures } = instance;
    expect(lines).toEqual([
      [
        'warn',
        { reason: expect.stringContaining('ECONNREFUSED') },
        'Valkey cannot be reached; it is tried again for ever',
      ],
    ]);
    const { check } = aWorldOfChecks(state.counters);
    await expect(check('jane@x.org')).rejects.toThrow('ECONNREFUSED');
    expect((await state.rateLimiter.consume('key_1')).allowed).toBe(true);
    expect((await state.attemptThrottle.recordFailure('192.0.2.1')).allowed).toBe(true);
    expect(failures).toEqual(
      ['velocity', 'rate_limit', 'attempts'].map((part) => `postern_shared_state_failures_total ${part}`),
    );
    await server.start();
    await connected(instance);
    expect(await check('jane@x.org')).toBe(1);
    expect(lines.at(-1)).toEqual(['info', 'Valkey answers again']);
    expect(failures).toHaveLength(3);
  });

  it('stopped: commands fail at once, the log reports it once a minute, and state is shared again without a restart', async () => {
    const server = await aServer();
    const instance = await anInstance(server.url);
    const { state, lines } = instance;
    const { check } = aWorldOfChecks(state.counters);
    expect(await check('jane@x.org')).toBe(1);
    await server.stop();
    await expect.poll(() => state.unsharedBecause()).toEqual(expect.any(String));
    const waited = await tookMs(async () => {
      for (let n = 0; n < 200; n += 1)
        await expect(check('jane@x.org')).rejects.toMatchObject({ code: 'unavailable' });
    });
    // None of them waits for the time-out.
    expect(waited).toBeLessThan(200 * 10);
    expect(lines).toEqual([
      [
        'warn',
        { part: 'velocity', failures: 1, reason: expect.any(String) },
        'Valkey does not answer in time: this instance limits by itself, and velocity is unknown',
      ],
    ]);
    await server.start();
    await connected(instance);
    expect(await check('john@x.org')).toBe(1);
    expect(lines.slice(1)).toEqual([['info', 'Valkey answers again']]);
  });

  it('disconnected right after a late answer: the log reports both, and the recovery', async () => {
    const server = await aServer();
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const instance = await anInstance(`redis://127.0.0.1:${proxy.port}`);
    const { check } = aWorldOfChecks(instance.state.counters);
    proxy.delayMs = TIMEOUT_MS + 200;
    await expect(check('jane@x.org')).rejects.toThrow('no answer');
    proxy.delayMs = 0;
    proxy.cut();
    await expect.poll(() => instance.state.unsharedBecause()).toEqual(expect.any(String));
    for (let n = 0; n < 3; n += 1) await expect(check('jane@x.org')).rejects.toThrow();
    expect(instance.lines.map(([level]) => level)).toEqual(['warn', 'warn']);
    proxy.mend();
    await connected(instance);
    await expect.poll(() => instance.lines.slice(2)).toEqual([['info', 'Valkey answers again']]);
  });

  it('started before any request needed it: the log reports that it answers again', async () => {
    const server = await aServer();
    await server.stop();
    const instance = await anInstance(server.url);
    await server.start();
    await connected(instance);
    await expect.poll(() => instance.lines.slice(1)).toEqual([['info', 'Valkey answers again']]);
  });

  it('refusing its password: it works as without Valkey, and no log line contains the password', async () => {
    const server = await aServer(['--requirepass', 'correct-horse']);
    const at = `127.0.0.1:${server.port}`;
    const refused = await anInstance(`redis://:battery-staple@${at}`);
    expect(refused.lines).toEqual([
      ['warn', { reason: expect.stringMatching(/^WRONGPASS/) }, expect.any(String)],
    ]);
    await expect(aWorldOfChecks(refused.state.counters).check('a@x.org')).rejects.toThrow('WRONGPASS');
    expect((await refused.state.rateLimiter.consume('key_1')).allowed).toBe(true);
    const accepted = await anInstance(`valkey://:correct-horse@${at}/3`);
    expect(await aWorldOfChecks(accepted.state.counters).check('a@x.org')).toBe(1);
    expect(JSON.stringify([refused.lines, accepted.lines])).not.toMatch(/battery|horse/);
  });

  it('without the TLS that its URL asks for: the log reports what may be wrong with the address', async () => {
    const server = await aServer();
    const { lines } = await anInstance(server.url.replace(/^redis:/, 'rediss:'));
    expect(lines).toEqual([
      [
        'warn',
        { reason: expect.stringMatching(/no Valkey.*TLS/) },
        expect.stringContaining('cannot be reached'),
      ],
    ]);
  });

  it('without the database that its URL names: the log reports it, and nothing is written to database 0', async () => {
    const server = await aServer(['--databases', '2']);
    const { state, lines } = await anInstance(`${server.url}/7`);
    expect(lines).toEqual([
      ['warn', { reason: 'ERR DB index is out of range' }, expect.stringContaining('cannot be reached')],
    ]);
    await expect(aWorldOfChecks(state.counters).check('a@x.org')).rejects.toThrow('DB index');
    expect((await state.rateLimiter.consume('key_1')).allowed).toBe(true);
    expect(state.unsharedBecause()).toEqual(expect.any(String));
    await expect(examineValkey(`${server.url}/7`)).rejects.toThrow('DB index is out of range');
    const other = new Redis(server.url);
    onTestFinished(() => other.disconnect());
    expect(await other.dbsize()).toBe(0);
    await server.stop();
    await server.start();
    await expect.poll(() => other.dbsize().catch(() => -1)).toBe(0);
    expect(state.unsharedBecause()).toEqual(expect.any(String));
  });

  it('silent, though connected: the connection is replaced by another', async () => {
    const server = await aServer();
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const instance = await anInstance(`redis://127.0.0.1:${proxy.port}`);
    const { check } = aWorldOfChecks(instance.state.counters);
    await check('jane@x.org');
    proxy.delayMs = 3_600_000;
    await expect(check('john@x.org')).rejects.toThrow(`no answer within ${TIMEOUT_MS} ms`);
    await expect.poll(() => instance.state.unsharedBecause(), { timeout: 10_000 }).toMatch(/^no Valkey/);
    proxy.delayMs = 0;
    await connected(instance);
    expect(await check('joan@x.org')).toBe(1);
  });

  it('shared by several: each sees their number, and one that has left is not counted any more', async () => {
    const server = await aServer();
    const instances = [await anInstance(server.url), await anInstance(server.url)];
    const third = await openValkeyState(stateOptions(server.url));
    await expect.poll(() => third.instances.seen).toBe(3);
    await expect.poll(() => instances[0]?.state.instances.seen).toBe(3);
    await third.close();
    for (const { state } of instances) await expect.poll(() => state.instances.seen).toBe(2);
    // The last known number is used while Valkey is unreachable.
    await server.stop();
    await expect.poll(() => instances[0]?.state.unsharedBecause()).toEqual(expect.any(String));
    expect(instances[0]?.state.instances.seen).toBe(2);
  });

  it('without memory: counts are rejected, and requests are limited all the same', async () => {
    const server = await aServer(['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction']);
    const { state } = await anInstance(server.url);
    await expect(aWorldOfChecks(state.counters).check('a@x.org')).rejects.toThrow('OOM');
    const results = await Promise.all(Array.from({ length: 700 }, () => state.rateLimiter.consume('key_1')));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(600);
  });

  it.each([
    ['out of memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
  ])(
    '%s: it does not count as connected, and its recovery is logged once it accepts writes again',
    async (_, harm, mend) => {
      const server = await aServer(['--maxmemory-policy', 'noeviction']);
      const operator = new Redis(server.url);
      onTestFinished(() => operator.disconnect());
      const command = async (words: string) => {
        const [name = '', ...rest] = words.split(' ');
        await operator.call(name, ...rest);
      };
      const instance = await anInstance(server.url);
      const { state, lines } = instance;
      await connected(instance);
      await command(harm);
      for (let n = 0; n < 5; n += 1) {
        await expect(aWorldOfChecks(state.counters).check('a@x.org')).rejects.toMatchObject({
          code: 'unavailable',
        });
        expect((await state.rateLimiter.consume('key_1')).allowed).toBe(true);
      }
      await expect.poll(() => state.unsharedBecause()).toMatch(/^(OOM|READONLY) /);
      expect(lines.map(([level]) => level)).toEqual(['warn']);
      await command(mend);
      await connected(instance);
      await expect.poll(() => lines.slice(1)).toEqual([['info', 'Valkey answers again']]);
    },
  );

  it('nearly full is reported by the examination', async () => {
    const server = await aServer(['--maxmemory', '1', '--maxmemory-policy', 'noeviction']);
    const verdicts = await examineSharedState(server.url);
    expect(verdicts.map(({ level }) => level)).toEqual(['ok', 'ok', 'warning']);
    expect(verdicts[2]?.message).toMatch(/^\d+ MB of maxmemory 0 MB are used: a full one refuses to count/);
  });

  it('away: the examination names it, without its password', async () => {
    const port = await aClosedPort();
    await expect(examineSharedState(`redis://:s3cret@127.0.0.1:${port}`)).rejects.toThrow(
      `redis://:[redacted]@127.0.0.1:${port} cannot be reached: connect ECONNREFUSED`,
    );
  });

  it.each([
    ['volatile-lru', 'ok'],
    ['volatile-ttl', 'warning'],
    ['allkeys-lru', 'warning'],
  ])('that may evict by %s: the examination says %s', async (policy, level) => {
    const server = await aServer(['--maxmemory', '1', '--maxmemory-policy', policy]);
    const verdicts = await examineSharedState(server.url);
    expect(verdicts[1]).toMatchObject({ level, message: expect.stringContaining(policy) });
    expect(verdicts[2]?.message).toContain('a full one gives counts up early');
  });

  it('shared with another installation: instances of that one are not counted', async () => {
    const server = await aServer();
    const { state } = await anInstance(server.url);
    const other = await anInstance(server.url, { hmacKey: createSecretKey(Buffer.alloc(32, 1)) });
    const third = await anInstance(server.url);
    await expect.poll(() => state.instances.seen).toBe(2);
    expect(third.state.instances.seen).toBe(2);
    expect(other.state.instances.seen).toBe(1);
  });
});

it('gives as the reason what may be wrong with the address, also once an attempt to connect has timed out', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `rediss://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = await openValkeyState(stateOptions(url));
  onTestFinished(async () => {
    await state.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await expect.poll(() => sockets.length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(state.unsharedBecause()).toMatch(/^no Valkey.*TLS/);
  await expect(examineSharedState(url)).rejects.toThrow(/cannot be reached: no Valkey.*TLS/);
});

it('gives as the reason what may be wrong with the address where each connection is closed at once', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = await openValkeyState(stateOptions(url));
  onTestFinished(() => state.close());
  expect(state.unsharedBecause()).toMatch(/^no Valkey/);
  await expect(examineSharedState(url)).rejects.toThrow(/cannot be reached: no Valkey/);
});

it('gives a reason also where the host has several addresses and none answers', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((_host: string, _options: object, done: Answered) =>
      process.nextTick(done, null, addresses)) as unknown as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());
  const state = await openValkeyState(stateOptions(`valkey://cache.test:${await aClosedPort()}`));
  onTestFinished(() => state.close());
  expect(state.unsharedBecause()).toBe('ECONNREFUSED');
});

type Answered = (error: Error | null, addresses: readonly dns.LookupAddress[]) => void;

it.each(['valkeys', 'rediss'])(
  'uses TLS where the URL begins with %s, and does not continue without it',
  async (scheme) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const opening = openValkeyState(stateOptions(`${scheme}://127.0.0.1:${port}`));
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [hello] = (await once(socket, 'data')) as [Buffer];
    // RFC 8446, 5.1: a handshake record.
    expect(hello[0]).toBe(22);
    await (await opening).close();
  },
);

it.each([
  'cache:6379',
  'http://cache:6379',
  'valkey//:secret@cache',
  '/run/valkey.sock',
  'redis://cache/postern',
  '',
])('refuses to start with %j, and does not quote it', async (url) => {
  const error = await openValkeyState(stateOptions(url)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as StartupError).faults).toEqual([
    'shared_state.url: is no URL of a Valkey, such as valkey://cache:6379',
  ]);
});
