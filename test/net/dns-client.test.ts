import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askServers, createDnsClient } from '../../src/net/dns-client.ts';
import type { Question, Reply } from '../../src/net/dns-message.ts';
import { NameServer } from '../../src/net/name-server.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };
const { signal } = new AbortController();
const found: Reply = { outcome: 'nodata', ttlSeconds: 1 };
const gone: Reply = { outcome: 'error' };

/** Servers that reply as `state` says, with a clock of their own. */
function aClient(...labels: readonly string[]) {
  const state = {
    now: 0,
    takesMs: 0,
    replies: new Map<string, Reply>(),
    asked: [] as string[],
    changes: [] as string[],
  };
  const servers = labels.map(
    (label) =>
      new NameServer({
        server: label,
        isLossy: true,
        timeoutMs: 300,
        now: () => state.now,
        clock: { now: () => 0 },
        onChange: (server, isOut) => state.changes.push(`${server} ${isOut ? 'out' : 'back'}`),
        ask: async ({ name }) => {
          state.now += state.takesMs;
          state.asked.push(name === '.' ? `${label} probed` : label);
          return state.replies.get(label) ?? found;
        },
      }),
  );
  const client = createDnsClient(() => servers);
  const ask = async () => {
    state.asked = [];
    const reply = await client(QUESTION, signal);
    await new Promise((resolve) => setImmediate(resolve));
    return reply;
  };
  return { state, ask };
}

async function askUntilOut({ ask }: ReturnType<typeof aClient>) {
  for (let time = 0; time < 5; time++) await ask();
}

describe('the client', () => {
  it('stops asking a server that does not reply, while another does', async () => {
    const client = aClient('a', 'b');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    expect(client.state.changes).toEqual(['a out']);
    expect(await client.ask()).toEqual(found);
    expect(client.state.asked).toEqual(['b']);
  });

  it('probes it beside a question to another server, and asks it first again when it is back', async () => {
    const client = aClient('a', 'b');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    client.state.replies.delete('a');
    client.state.now = 5_000;
    await client.ask();
    expect(client.state.asked).toEqual(['a probed', 'b']);
    await client.ask();
    expect(client.state.asked).toEqual(['a']);
    expect(client.state.changes).toEqual(['a out', 'a back']);
  });

  it('fails at once, and never as "no such name", when no server replies', async () => {
    const client = aClient('a');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    expect(await client.ask()).toEqual({ outcome: 'error' });
    expect(client.state.asked).toEqual([]);
  });

  it('answers the first question after the outage', async () => {
    const client = aClient('a');
    client.state.replies.set('a', gone);
    await askUntilOut(client);
    client.state.replies.delete('a');
    client.state.now = 5_000;
    expect(await client.ask()).toEqual(found);
  });

  it.each(['servfail', 'refused', 'malformed'] as const)(
    'does not suspect a slow server that answers %s: it replies',
    async (outcome) => {
      const client = aClient('a');
      client.state.replies.set('a', { outcome });
      client.state.takesMs = 150;
      for (let time = 0; time < 50; time++) {
        expect(await client.ask()).toEqual({ outcome });
        expect(client.state.asked).toEqual(['a']);
      }
    },
  );
});

const EMPTY: Reply = { outcome: 'nodata', ttlSeconds: 1 };

beforeEach(() => {
  // setImmediate stays real: it stands for an event-loop iteration, not for time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** A server that replies when the test says so. */
function aServer(log: string[], label: string, { isLossy = true } = {}) {
  const waiting: ((reply: Reply) => void)[] = [];
  const server = new NameServer({
    server: label,
    isLossy,
    timeoutMs: 300,
    now: () => performance.now(),
    clock: { now: () => 0 },
    onChange: () => undefined,
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
    budget.signal,
  );
  const [a, b] = servers;
  if (!a) throw new Error('a race without servers');
  return { log, a, b: b ?? a, budget, answer };
}

describe('askServers', () => {
  it('asks another server after a third of the time, not before, and ignores the slower one', async () => {
    const { log, b, answer } = race('a', 'b');
    await pass(99);
    expect(log).toEqual(['a asked']);
    await pass(1);
    expect(log).toEqual(['a asked', 'b asked']);
    b.reply(EMPTY);
    expect(await answer).toEqual(EMPTY);
    expect(log).toEqual(['a asked', 'b asked', 'a dropped', 'b dropped']);
  });

  it('uses the first answer, also when it comes from the slower server', async () => {
    const { log, a, answer } = race('a', 'b');
    await pass(150);
    a.reply(EMPTY);
    expect(await answer).toEqual(EMPTY);
    await pass(1_000);
    expect(log.filter((line) => line.endsWith('asked'))).toEqual(['a asked', 'b asked']);
  });

  it('asks a single server again in case the packet was lost, three times in all', async () => {
    const { log, budget, answer } = race('a');
    await pass(299);
    expect(log).toEqual(['a asked', 'a asked', 'a asked']);
    await pass(200);
    expect(log).toHaveLength(3);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
  });

  it('asks a server over TCP once: TCP retransmits lost packets', async () => {
    const log: string[] = [];
    const { server } = aServer(log, 'a', { isLossy: false });
    const budget = new AbortController();
    const answer = askServers([server], QUESTION, budget.signal);
    await pass(299);
    expect(log).toEqual(['a asked']);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
  });

  it('does not ask a failed server again, and keeps waiting for the others', async () => {
    const { log, a, b, answer } = race('a', 'b');
    a.reply({ outcome: 'servfail' });
    await pass(0);
    expect(log).toEqual(['a asked', 'b asked']);
    await pass(250);
    expect(log).toEqual(['a asked', 'b asked']);
    b.reply(EMPTY);
    expect(await answer).toEqual(EMPTY);
  });

  it('returns the most specific failure at the deadline', async () => {
    const { a, budget, answer } = race('a', 'b');
    a.reply({ outcome: 'refused' });
    await pass(100);
    budget.abort();
    expect(await answer).toEqual({ outcome: 'refused' });
  });

  it('asks no server when the time is over before it begins', async () => {
    const log: string[] = [];
    const { server } = aServer(log, 'a');
    expect(await askServers([server], QUESTION, AbortSignal.abort())).toEqual({
      outcome: 'timeout',
    });
    expect(log).toEqual([]);
  });
});
