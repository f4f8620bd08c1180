import { expect, it } from 'vitest';
import { NameServer } from '../../src/net/name-server.ts';
import type { Question } from '../../src/net/question.ts';

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
