import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type Address, type Answer, type LocalProvider, unknown } from '../../src/provider-kit/index.ts';
import { checkProvider } from '../../src/signals/check-provider.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { anAddress } from '../support/addresses.ts';
import { prepareCheck } from '../support/check-with.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const byDomain = (check: (address: Address) => Answer, id = 'dom') =>
  aLocalProvider(id, { check, cache: { by: 'domain' } });
const seen = (value: boolean, evidence?: Record<string, unknown>): Answer => ({
  facts: { 'dom.seen': value },
  ...(evidence && { evidence }),
});

describe('a local provider that reads the domain alone', () => {
  it('is asked once for a domain, by checks and by those that send no packet alike', async () => {
    const check = vi.fn(() => seen(true));
    const { collect, collector, prepared } = await aCollector([byDomain(check)]);
    await collect(anAddress('jane'));
    await collect(anAddress('john'));
    collector.collectLocal(anAddress('mary'), prepared);
    expect(check).toHaveBeenCalledTimes(1);
    await collect(anAddress('john', 'example.org'));
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('is asked anew after a reload', async () => {
    const check = vi.fn(() => seen(true));
    const { collect, collector } = await aCollector([byDomain(check)]);
    await collect(anAddress());
    const reloaded = await collector.prepare({ options: {}, thresholds: {}, lists: { allow: [], deny: [] } });
    await collector.collect(anAddress(), reloaded);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('says the same the second time, beside what is found of each address', async () => {
    const own = aLocalProvider('own', {
      facts: [aFact('own.length', { type: 'integer', example: 3 })],
      check: ({ localPart }) => ({
        facts: { 'own.length': localPart.length },
        ...(localPart === 'jane' && { evidence: { only: 'jane' } }),
      }),
    });
    const idle = byDomain(() => unknown('not_run', 'not in the table'), 'idle');
    const dom = byDomain(({ domain }) => seen(domain === 'example.com', { domain }));
    const { collect } = await aCollector([own, idle, dom]);
    const expected = (length: number, more: object) => ({
      facts: { 'own.length': length, 'idle.seen': null, 'dom.seen': true },
      unknown: { 'idle.seen': 'not_run' },
      evidence: { idle: { unknown: 'not in the table' }, dom: { domain: 'example.com' }, ...more },
      degraded: [],
    });
    expect(await collect(anAddress('jane'))).toMatchObject(expected(4, { own: { only: 'jane' } }));
    const second = await collect(anAddress('li'));
    expect(second).toMatchObject(expected(2, {}));
    expect(second.evidence).not.toHaveProperty('own');
    expect((await collect(anAddress('x', 'example.org'))).facts['dom.seen']).toBe(false);
  });

  it('is counted in each check, and timed when it is asked', async () => {
    const providerAnswered = vi.fn();
    const providerTook = vi.fn();
    const metrics = { ...noMetrics, providerAnswered, providerTook };
    const providers = [byDomain(() => seen(true)), byDomain(() => unknown('not_run'), 'idle')];
    const { collect } = await aCollector(providers, { metrics });
    await collect(anAddress('jane'));
    const second = await collect(anAddress('john'));
    const round = [
      ['dom', 'known'],
      ['idle', 'not_run'],
    ];
    expect(providerAnswered.mock.calls).toEqual([...round, ...round]);
    expect(providerTook).toHaveBeenCalledTimes(2);
    expect(second.timingsUs).toEqual({ dom: 0, idle: 0 });
  });

  it.each<[string, () => Answer]>([
    ['fails', () => unknown('error')],
    ['answers against its declaration', () => ({ facts: {} })],
    ['answers evidence that no record could hold', () => seen(true, { big: 1n })],
  ])('is asked each time when it %s', async (_what, answer) => {
    const check = vi.fn(answer);
    const { collect, warnings } = await aCollector([byDomain(check)]);
    const [first, second] = [await collect(anAddress('jane')), await collect(anAddress('john'))];
    expect(second.unknown).toEqual(first.unknown);
    expect(second.degraded).toEqual(first.degraded);
    expect(check).toHaveBeenCalledTimes(2);
    expect(warnings.length % 2).toBe(0);
  });

  it('cannot be kept by the address', () => {
    const { cache, ...plain } = byDomain(() => seen(true));
    expect(checkProvider({ ...plain, cache })).toEqual([]);
    expect(checkProvider({ ...plain, cache: { by: 'address' } })).toEqual(['cache.by must be "domain"']);
  });

  it('cannot be kept where it needs what may tell of the whole address: the start says so', async () => {
    const dom = { ...byDomain(() => seen(true)), needs: ['own.seen'] };
    await expect(aCollector([aLocalProvider('own'), dom])).rejects.toMatchObject({
      faults: [
        'provider "dom": its answers cannot be kept by domain: it needs facts of "own", which may tell of the whole address',
      ],
    });
    await expect(aCollector([byDomain(() => seen(true), 'own'), dom])).resolves.toBeDefined();
  });
});

describe('what look-ups told of a domain', () => {
  const LIFE = { by: 'domain', knownSeconds: 60, unknownSeconds: 5 } as const;
  const late = (check: LocalProvider['check']) =>
    aLocalProvider('late', { needs: ['net.seen'], cache: { by: 'domain' }, check });
  const lateSees: LocalProvider['check'] = (_address, { needs }) => ({
    facts: { 'late.seen': needs['net.seen'] === true },
    evidence: { from: 'net' },
  });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    // lru-cache takes a clock at 0 for one that has not been read.
    vi.advanceTimersByTime(1);
  });
  afterEach(() => void vi.useRealTimers());

  it('is kept with what follows from it, beside what is found of each address, and is counted in each check', async () => {
    const ask = vi.fn(async () => ({ facts: { 'net.seen': true }, evidence: { exchange: 'mx' } }));
    const follow = vi.fn(lateSees);
    const own = aLocalProvider('own', { needs: ['net.seen'], check: vi.fn(lateSeesOwn) });
    const providerAnswered = vi.fn();
    const answerCacheRead = vi.fn();
    const { collect } = await aCollector(
      [aNetworkProvider('net', { cache: LIFE, check: ask }), late(follow), own],
      { metrics: { ...noMetrics, providerAnswered, answerCacheRead } },
    );
    const expected = {
      facts: { 'net.seen': true, 'late.seen': true, 'own.seen': true },
      evidence: { net: { exchange: 'mx' }, late: { from: 'net' } },
      unknown: {},
      degraded: [],
    };
    for (const name of ['jane', 'john', 'mary', 'li']) {
      providerAnswered.mockClear();
      expect(await collect(anAddress(name))).toMatchObject(expected);
      expect(new Set(providerAnswered.mock.calls.map(([id, outcome]) => `${id} ${outcome}`))).toEqual(
        new Set(['net known', 'late known', 'own known']),
      );
    }
    expect(ask).toHaveBeenCalledTimes(1);
    expect(follow).toHaveBeenCalledTimes(1);
    expect(own.check).toHaveBeenCalledTimes(4);
    expect(answerCacheRead.mock.calls).toEqual([
      ['net', 'miss'],
      ['net', 'hit'],
      ['net', 'hit'],
      ['net', 'hit'],
    ]);
  });

  it('ends with the first answer that ends', async () => {
    let value = true;
    const ask = vi.fn(async () => ({ facts: { 'net.seen': value }, ttlSeconds: 10 }));
    const { collect } = await aCollector([
      aNetworkProvider('net', { cache: LIFE, check: ask }),
      aNetworkProvider('slow', { cache: LIFE }),
      late(lateSees),
    ]);
    for (let i = 0; i < 3; i += 1) await collect(anAddress(`a${i}`));
    value = false;
    await vi.advanceTimersByTimeAsync(9_900);
    expect((await collect(anAddress('b'))).facts).toMatchObject({ 'net.seen': true, 'late.seen': true });
    await vi.advanceTimersByTimeAsync(200);
    expect((await collect(anAddress('c'))).facts).toMatchObject({ 'net.seen': false, 'late.seen': false });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is not kept together where a look-up failed: each check names it as degraded', async () => {
    const { collect } = await aCollector([
      aNetworkProvider('net', { cache: LIFE, check: async () => unknown('timeout') }),
      late(lateSees),
    ]);
    for (let i = 0; i < 4; i += 1) expect((await collect(anAddress(`a${i}`))).degraded).toEqual(['net']);
  });

  it('is nothing for those who send no packet', async () => {
    const { collect, collector, prepared } = await aCollector([
      aNetworkProvider('net', { cache: LIFE }),
      late(lateSees),
    ]);
    for (let i = 0; i < 3; i += 1) await collect(anAddress(`a${i}`));
    expect(collector.collectLocal(anAddress('b'), prepared).unknown).toEqual({ 'net.seen': 'not_run' });
  });
});

const lateSeesOwn: LocalProvider['check'] = (_address, { needs }) => ({
  facts: { 'own.seen': needs['net.seen'] === true },
});

describe('the providers that Postern ships', async () => {
  const { enabled } = await discoverProviders({ enabled: null, paths: [] });
  const kept = enabled.filter(({ stage, cache }) => stage === 'local' && cache);

  it.each(kept.map((provider) => [provider.id, provider] as const))(
    'read no more than they declare: %s',
    async (_id, provider) => {
      const { ask } = await prepareCheck(provider);
      for (const domain of ['gmail.com', 'mailinator.com', 'x.eu.org', 'firm.example', 'example.top']) {
        const { canonical, domainKind } = anAddress('x', domain);
        // Whatever else is read is undefined, and fails or changes the answer.
        const bare = { domain, domainKind, canonical: { domain: canonical.domain } } as Address;
        expect(await ask(bare)).toEqual(await ask(anAddress('jane', domain)));
      }
    },
  );

  it('are kept by domain where lists are walked', () => {
    expect(kept.map(({ id }) => id)).toEqual([...['disposable', 'free_provider', 'relay', 'tld', 'typo']]);
  });
});
