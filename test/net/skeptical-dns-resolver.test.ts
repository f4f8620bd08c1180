import { describe, expect, it } from 'vitest';
import { PROOF_NAME, SkepticalDnsResolver } from '../../src/net/skeptical-dns-resolver.ts';
import type { DnsAnswer, DnsResolver, MxRecord } from '../../src/provider-kit/index.ts';

const { signal } = new AbortController();

function aResolver(mx: DnsAnswer<MxRecord>, proof: DnsAnswer<string>) {
  const state = { mx, proof, now: 0, proofs: 0, doubts: 0 };
  const inner: DnsResolver = {
    mx: async () => state.mx,
    addresses: async (host) => {
      if (host === PROOF_NAME) state.proofs++;
      return state.proof;
    },
  };
  const resolver = new SkepticalDnsResolver(inner, { now: () => state.now, onDoubt: () => state.doubts++ });
  return { state, ask: () => resolver.mx('example.org', signal) };
}

const found = { outcome: 'found', records: ['198.41.0.4'] } as const;
const nxdomain = { outcome: 'nxdomain' } as const;

describe('SkepticalDnsResolver', () => {
  it.each(['nxdomain', 'nodata'] as const)('believes %s of a resolver that is connected', async (outcome) => {
    const { ask } = aResolver({ outcome }, found);
    expect(await ask()).toEqual({ outcome });
  });

  it.each(['nxdomain', 'nodata'] as const)(
    'takes %s for unknown from one that knows no root server',
    async (outcome) => {
      const { ask, state } = aResolver({ outcome }, nxdomain);
      expect(await ask()).toEqual({ outcome: 'error' });
      expect(state.doubts).toBe(1);
    },
  );

  it('passes records and failures on without asking for proof', async () => {
    const record = { outcome: 'found', records: [{ exchange: 'mx.example.org', preference: 1 }] } as const;
    const { ask, state } = aResolver(record, nxdomain);
    expect(await ask()).toEqual(record);
    state.mx = { outcome: 'servfail' };
    expect(await ask()).toEqual({ outcome: 'servfail' });
    expect(state.proofs).toBe(0);
  });

  it('asks for proof once however many wait, and again after a minute', async () => {
    const { ask, state } = aResolver(nxdomain, found);
    await Promise.all([ask(), ask(), ask()]);
    state.now = 59_999;
    await ask();
    expect(state.proofs).toBe(1);
    state.now = 60_000;
    await ask();
    expect(state.proofs).toBe(2);
  });

  it('believes again within seconds of the uplink coming back', async () => {
    const { ask, state } = aResolver(nxdomain, { outcome: 'timeout' });
    expect(await ask()).toEqual({ outcome: 'error' });
    state.proof = found;
    state.now = 5_000;
    expect(await ask()).toEqual(nxdomain);
  });
});
