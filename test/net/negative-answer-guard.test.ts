import { describe, expect, it } from 'vitest';
import { guardNegativeAnswers, PROOF } from '../../src/net/create-dns-resolver.ts';
import type { Ask, Reply } from '../../src/net/dns-message.ts';

const { signal } = new AbortController();

function aClient(reply: Reply, proof: Reply) {
  const state = { reply, proof, now: 0, proofs: 0, doubts: 0 };
  const inner: Ask = async ({ name }) => {
    if (name !== PROOF.name) return state.reply;
    state.proofs++;
    return state.proof;
  };
  const options = { timeoutMs: 1_000, now: () => state.now, onDoubt: () => state.doubts++ };
  const client = guardNegativeAnswers(inner, options);
  return { state, ask: (given = signal) => client({ name: 'example.org', type: 'MX' }, given) };
}

const found: Reply = { outcome: 'found', records: [], ttlSeconds: 60 };
const nxdomain: Reply = { outcome: 'nxdomain', ttlSeconds: 60 };

describe('guardNegativeAnswers', () => {
  it.each(['nxdomain', 'nodata'] as const)(
    'accepts %s of a resolver that is connected to the internet',
    async (outcome) => {
      const reply: Reply = { outcome, ttlSeconds: 60 };
      const { ask } = aClient(reply, found);
      expect(await ask()).toEqual(reply);
    },
  );

  it.each(['nxdomain', 'nodata'] as const)(
    'treats %s as unknown from one that knows no root server',
    async (outcome) => {
      const { ask, state } = aClient({ outcome, ttlSeconds: 60 }, nxdomain);
      expect(await ask()).toEqual({ outcome: 'error' });
      expect(state.doubts).toBe(1);
    },
  );

  it('passes records and failures on without a check', async () => {
    const { ask, state } = aClient(found, nxdomain);
    expect(await ask()).toEqual(found);
    state.reply = { outcome: 'servfail' };
    expect(await ask()).toEqual({ outcome: 'servfail' });
    expect(state.proofs).toBe(0);
  });

  it('checks once for all callers that wait, and again after a minute', async () => {
    const { ask, state } = aClient(nxdomain, found);
    await Promise.all([ask(), ask(), ask()]);
    state.now = 59_999;
    await ask();
    expect(state.proofs).toBe(1);
    state.now = 60_000;
    await ask();
    expect(state.proofs).toBe(2);
  });

  it('accepts answers again within seconds after the uplink is back', async () => {
    const { ask, state } = aClient(nxdomain, { outcome: 'timeout' });
    expect(await ask()).toEqual({ outcome: 'error' });
    state.proof = found;
    state.now = 5_000;
    expect(await ask()).toEqual(nxdomain);
  });

  it('returns timeout when the time is over before the check is complete', async () => {
    const { ask } = aClient(nxdomain, found);
    expect(await ask(AbortSignal.abort())).toEqual({ outcome: 'timeout' });
  });
});
