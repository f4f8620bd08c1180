import { describe, expect, it, vi } from 'vitest';
import { type DownloadedList, defineProvider, type SignalProvider } from '../../src/provider-kit/index.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const aList = (...domains: readonly string[]): DownloadedList => ({
  ...{ name: 'lists_test', version: '1', date: '2026-11-21', entries: domains.length, size: domains.length },
  records: () =>
    domains.map((domain) => [domain, { firstSeen: '2026-11-21', lastSeen: '2026-11-21' }] as const),
});

/** Knows the domains of the downloaded lists. */
const reader = (id = 'reader') =>
  defineProvider<ReadonlySet<string>>({
    ...{ id, apiVersion: 1, description: 'A provider of a test.', stage: 'local' },
    facts: [aFact(`${id}.seen`)],
    prepare: async ({ downloads }) => ({
      state: new Set((await downloads()).flatMap((list) => [...list.records()].map(([domain]) => domain))),
    }),
    check: ({ domain }, { state }) => ({
      facts: { [`${id}.seen`]: state.has(domain) },
    }),
  });

const inputs = (...domains: readonly string[]) => ({
  ...{ options: {}, thresholds: {}, lists: { allow: [], deny: [] } },
  downloads: vi.fn(async () => [aList(...domains)]),
});

async function prepareTwice(providers: readonly SignalProvider[]) {
  const { collector } = await aCollector(providers);
  const before = await collector.prepare(inputs('old.example'));
  return {
    collector,
    before,
    change: () => collector.prepare(inputs('new.example'), before, { downloads: true }),
  };
}

describe('a change of the downloaded lists', () => {
  it('reaches the provider that asked for them; running checks continue with the old ones', async () => {
    const { collector, before, change } = await prepareTwice([reader()]);
    const seen = async (prepared: typeof before, domain: string) =>
      (await collector.collect(anAddress('jane', domain), prepared)).facts['reader.seen'];
    expect([await seen(before, 'old.example'), await seen(before, 'new.example')]).toEqual([true, false]);
    const now = await change();
    expect([await seen(now, 'old.example'), await seen(now, 'new.example')]).toEqual([false, true]);
    expect([await seen(before, 'old.example'), await seen(before, 'new.example')]).toEqual([true, false]);
  });

  it('does not affect other providers and their cached answers', async () => {
    const prepare = vi.fn(() => ({ state: undefined }));
    const check = vi.fn(async () => ({ facts: { 'net.seen': true } }));
    const net = aNetworkProvider('net', {
      prepare,
      check,
      cache: { by: 'domain', knownSeconds: 60, unknownSeconds: 1 },
    });
    const { collector, before, change } = await prepareTwice([reader(), net]);
    await collector.collect(anAddress(), before);
    const prepared = prepare.mock.calls.length;
    await collector.collect(anAddress(), await change());
    expect(prepare).toHaveBeenCalledTimes(prepared);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('drops cached answers that depend on a fact of the provider, directly or indirectly', async () => {
    const cache = { by: 'domain', knownSeconds: 60, unknownSeconds: 1 } as const;
    const checks = { near: vi.fn(), far: vi.fn() };
    const near = aNetworkProvider('near', {
      needs: ['reader.seen'],
      cache,
      check: async () => {
        checks.near();
        return { facts: { 'near.seen': true } };
      },
    });
    const far = aNetworkProvider('far', {
      needs: ['near.seen'],
      cache,
      check: async () => {
        checks.far();
        return { facts: { 'far.seen': true } };
      },
    });
    const { collector, before, change } = await prepareTwice([far, near, reader()]);
    await collector.collect(anAddress(), before);
    await collector.collect(anAddress(), before);
    expect([checks.near, checks.far].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await collector.collect(anAddress(), await change());
    expect([checks.near, checks.far].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  });

  it('changes nothing when the provider cannot use them', async () => {
    const picky = aLocalProvider('picky', {
      facts: [aFact('picky.seen')],
      prepare: async ({ downloads }) => {
        const [list] = await downloads();
        if (list && [...list.records()].some(([domain]) => domain === 'new.example'))
          throw new Error('too new');
        return { state: undefined };
      },
    });
    const { change } = await prepareTwice([picky]);
    await expect(change()).rejects.toThrow('provider "picky": cannot prepare: too new');
  });

  it('is loaded once for all providers that ask', async () => {
    const { collector } = await aCollector([reader('one'), reader('two')]);
    const given = inputs('a.example');
    await collector.prepare(given);
    expect(given.downloads).toHaveBeenCalledTimes(1);
  });
});
