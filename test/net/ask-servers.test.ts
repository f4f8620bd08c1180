import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askServers } from '../../src/net/dns-client.ts';
import type { Question, Reply } from '../../src/net/dns-question.ts';
import { NameServer } from '../../src/net/name-server.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };
const HEDGE_MS = 100;
const found: Reply = { outcome: 'nodata', ttlSeconds: 1 };

beforeEach(() => {
  // setImmediate stays real: it stands for the event loop's own turn, not for time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** A server that replies when the test says so. */
function aServer(log: string[], label: string, { isLossy = true } = {}) {
  const waiting: ((reply: Reply) => void)[] = [];
  const server = new NameServer({
    label,
    isLossy,
    patienceMs: HEDGE_MS,
    probeTimeoutMs: 300,
    now: () => performance.now(),
    onChange: () => undefined,
    transport: {
      ask: (_question, signal) => {
        log.push(`${label} asked`);
        return new Promise((resolve) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => {
            log.push(`${label} dropped`);
            resolve({ outcome: 'timeout' });
          });
        });
      },
    },
  });
  return { server, reply: (reply: Reply) => waiting.shift()?.(reply) };
}

async function pass(ms: number) {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

function race(...names: readonly string[]) {
  const log: string[] = [];
  const servers = names.map((name) => aServer(log, name));
  const budget = new AbortController();
  const answer = askServers(
    servers.map(({ server }) => server),
    QUESTION,
    HEDGE_MS,
    budget.signal,
  );
  const [a, b] = servers;
  if (!a) throw new Error('a race of nobody');
  return { log, a, b: b ?? a, budget, answer };
}

describe('askServers', () => {
  it('asks another server after a third of the time, not before, and drops the loser', async () => {
    const { log, b, answer } = race('a', 'b');
    await pass(99);
    expect(log).toEqual(['a asked']);
    await pass(1);
    expect(log).toEqual(['a asked', 'b asked']);
    b.reply(found);
    expect(await answer).toEqual(found);
    expect(log).toEqual(['a asked', 'b asked', 'a dropped', 'b dropped']);
  });

  it('takes the first answer, though it is that of the slower server', async () => {
    const { log, a, answer } = race('a', 'b');
    await pass(150);
    a.reply(found);
    expect(await answer).toEqual(found);
    await pass(1_000);
    expect(log.filter((line) => line.endsWith('asked'))).toEqual(['a asked', 'b asked']);
  });

  it('asks a single server again as if the packet were lost, three times in all', async () => {
    const { log, budget, answer } = race('a');
    await pass(299);
    expect(log).toEqual(['a asked', 'a asked', 'a asked']);
    await pass(200);
    expect(log).toHaveLength(3);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
  });

  it('asks a server over TCP once: TCP sends again what is lost', async () => {
    const log: string[] = [];
    const { server } = aServer(log, 'a', { isLossy: false });
    const budget = new AbortController();
    const answer = askServers([server], QUESTION, HEDGE_MS, budget.signal);
    await pass(299);
    expect(log).toEqual(['a asked']);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
  });

  it('does not ask again who failed, and goes on waiting for the others', async () => {
    const { log, a, b, answer } = race('a', 'b');
    a.reply({ outcome: 'servfail' });
    await pass(0);
    expect(log).toEqual(['a asked', 'b asked']);
    await pass(250);
    expect(log).toEqual(['a asked', 'b asked']);
    b.reply(found);
    expect(await answer).toEqual(found);
  });

  it('says the most telling failure when the time is over', async () => {
    const { a, budget, answer } = race('a', 'b');
    a.reply({ outcome: 'refused' });
    await pass(100);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'refused' });
  });

  it('asks nobody when the time is over before it begins', async () => {
    const log: string[] = [];
    const { server } = aServer(log, 'a');
    expect(await askServers([server], QUESTION, HEDGE_MS, AbortSignal.abort())).toEqual({
      outcome: 'timeout',
    });
    expect(log).toEqual([]);
  });
});
