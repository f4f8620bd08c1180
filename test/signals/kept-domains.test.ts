import { describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type Address, type Answer, unknown } from '../../src/provider-kit/index.ts';
import { checkProvider } from '../../src/signals/check-provider.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { anAddress } from '../support/addresses.ts';
import { prepareCheck } from '../support/check-with.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';

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

  it('cannot be kept by the address, nor where it needs what may tell of the whole address', () => {
    const { cache, ...plain } = byDomain(() => seen(true));
    expect(checkProvider({ ...plain, cache })).toEqual([]);
    expect(checkProvider({ ...plain, cache: { by: 'address' } })).toEqual(['cache.by must be "domain"']);
    expect(checkProvider({ ...plain, cache, needs: ['own.length'] })).toEqual([
      'needs facts, so that its answers cannot be kept by domain',
    ]);
  });
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
    expect(kept.map(({ id }) => id)).toEqual([...['free_provider', 'relay', 'tld', 'typo']]);
  });
});
