import { beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '../../src/net/dns-question.ts';
import { CircuitBreaker, NameServer } from '../../src/net/name-server.ts';

const QUESTION: Question = { name: 'mail.test', type: 'MX' };

/** A server that says nothing until it is cut off, after `silentMs` of its clock. */
function aSilentServer(silentMs: number) {
  const state = { now: 0, probes: 0 };
  const server = new NameServer({
    label: 'silent',
    isLossy: true,
    patienceMs: 100,
    probeTimeoutMs: 300,
    now: () => state.now,
    onChange: () => undefined,
    transport: {
      ask: async ({ name }) => {
        if (name === '.') state.probes++;
        state.now += silentMs;
        return { outcome: 'timeout' };
      },
    },
  });
  return { state, server };
}

it.each([
  [99, 0],
  [100, 1],
])('a server that was cut off %i ms after each of five questions is probed %i times', async (ms, probes) => {
  const { state, server } = aSilentServer(ms);
  for (let time = 0; time < 5; time++) await server.ask(QUESTION, AbortSignal.abort());
  expect(state.probes).toBe(probes);
});

let now: number;
let isAlive: boolean;
let probes: number;
let changes: boolean[];
let breaker: CircuitBreaker;

beforeEach(() => {
  [now, isAlive, probes, changes] = [0, false, 0, []];
  breaker = new CircuitBreaker({
    now: () => now,
    onChange: (isOpen) => changes.push(isOpen),
    probe: async () => {
      probes++;
      return isAlive;
    },
  });
});

/** Until what was begun has been told. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function fallSilent(times = 5) {
  for (let time = 0; time < times; time++) breaker.wasSilent();
  await settled();
}

describe('CircuitBreaker', () => {
  it('opens when a silent server does not reply to a probe either, and says so once', async () => {
    await fallSilent(4);
    expect(probes).toBe(0);
    await fallSilent(20);
    expect({ isOpen: breaker.isOpen, probes, changes }).toEqual({ isOpen: true, probes: 1, changes: [true] });
  });

  it('stays closed however many domains are dead, while the server replies to probes', async () => {
    isAlive = true;
    for (let round = 0; round < 50; round++) await fallSilent();
    expect({ isOpen: breaker.isOpen, probes, changes }).toEqual({ isOpen: false, probes: 50, changes: [] });
  });

  it('suspects nobody who replies more often than not', async () => {
    for (let time = 0; time < 6; time++) breaker.replied();
    await fallSilent(5);
    expect(probes).toBe(0);
    await fallSilent(1);
    expect(probes).toBe(1);
  });

  it('forgets silence after ten seconds', async () => {
    await fallSilent(4);
    now = 10_000;
    await fallSilent(4);
    expect(probes).toBe(0);
  });

  it('probes one that is out every five seconds, and closes when it replies', async () => {
    await fallSilent();
    now = 4_999;
    expect(breaker.probeIfDue()).toBe(false);
    now = 5_000;
    expect(breaker.probeIfDue()).toBe(true);
    expect(breaker.probeIfDue()).toBe(false);
    await settled();
    expect(breaker.isOpen).toBe(true);
    isAlive = true;
    now = 10_000;
    breaker.probeIfDue();
    await settled();
    expect({ isOpen: breaker.isOpen, changes }).toEqual({ isOpen: false, changes: [true, false] });
  });

  it('closes at the first reply, whatever it was a reply to', async () => {
    await fallSilent();
    breaker.replied();
    expect(changes).toEqual([true, false]);
  });

  it('never probes one that is not out', () => {
    expect(breaker.probeIfDue()).toBe(false);
  });
});
