import { beforeEach, describe, expect, it } from 'vitest';
import type { Question, ServerReply } from '../../src/net/dns-message.ts';
import { NameServer } from '../../src/net/name-server.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };
const SILENCE: ServerReply = { outcome: 'timeout' };
const REPLY: ServerReply = { outcome: 'nxdomain' };

let now: number;
let takesMs: number;
let isAlive: boolean;
let probes: number;
let changes: boolean[];
let answer: ServerReply;
let server: NameServer;

/** It replies to a probe when it is alive, and with `answer` to a question, after `takesMs`. */
beforeEach(() => {
  [now, takesMs, isAlive, probes, changes, answer] = [0, 100, false, 0, [], SILENCE];
  server = new NameServer({
    server: '192.0.2.1',
    isLossy: true,
    timeoutMs: 300,
    now: () => now,
    clock: { now: () => Date.UTC(2026, 10, 20, 12) },
    onChange: (_server, isOut) => changes.push(isOut),
    ask: async ({ name }) => {
      if (name !== QUESTION.name) {
        probes++;
        return isAlive ? REPLY : SILENCE;
      }
      now += takesMs;
      return answer;
    },
  });
});

/** Until all started promises are settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** All at the same time. */
async function askTimes(times: number, reply: ServerReply) {
  const started = now;
  answer = reply;
  for (let time = 0; time < times; time++) {
    now = started;
    await server.ask(QUESTION, AbortSignal.abort());
  }
  now = started;
  await settled();
}

const fallSilent = (times = 5) => askTimes(times, SILENCE);

describe('a name server', () => {
  it.each([
    [99, 0],
    [100, 1],
  ])('whose five questions were each cancelled after %i ms is probed %i times', async (ms, count) => {
    takesMs = ms;
    await fallSilent();
    expect(probes).toBe(count);
  });

  it('is out when it was silent and does not reply to a probe either, and is reported once', async () => {
    await fallSilent(4);
    expect(probes).toBe(0);
    expect(server.since).toBeNull();
    await fallSilent(20);
    expect({ isOut: server.isOut, probes, changes }).toEqual({ isOut: true, probes: 1, changes: [true] });
    expect(server.since).toBe('2026-11-20T12:00:00.000Z');
  });

  it('is never out because of many dead domains, while it replies to probes', async () => {
    isAlive = true;
    for (let round = 0; round < 50; round++) await fallSilent();
    expect({ isOut: server.isOut, probes, changes }).toEqual({ isOut: false, probes: 50, changes: [] });
  });

  it('is not suspected while it replies more often than not', async () => {
    await askTimes(6, REPLY);
    await fallSilent(5);
    expect(probes).toBe(0);
    await fallSilent(1);
    expect(probes).toBe(1);
  });

  it('is not suspected for silence more than ten seconds ago', async () => {
    await fallSilent(4);
    now = 10_000;
    await fallSilent(4);
    expect(probes).toBe(0);
  });

  it('is probed every five seconds while it is out, and is back when it replies', async () => {
    await fallSilent();
    now = 4_999;
    expect(server.probeIfDue()).toBe(false);
    now = 5_000;
    expect(server.probeIfDue()).toBe(true);
    expect(server.probeIfDue()).toBe(false);
    await settled();
    expect(server.isOut).toBe(true);
    isAlive = true;
    now = 10_000;
    server.probeIfDue();
    await settled();
    expect({ isOut: server.isOut, changes }).toEqual({ isOut: false, changes: [true, false] });
  });

  it('is back at the first reply to any question', async () => {
    await fallSilent();
    await askTimes(1, REPLY);
    expect(changes).toEqual([true, false]);
  });

  it('is never probed unless it is out', () => {
    expect(server.probeIfDue()).toBe(false);
  });
});
