import { unknown } from 'postern/provider-kit';
import { fakeDns } from 'postern/provider-kit/testing';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import {
  closestSuffix,
  type DnsAnswer,
  type DnsResolver,
  type MxRecord,
} from '../../src/provider-kit/index.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import disposableMx from './index.ts';
import { type Backend, loadBackends, loadSharedHosts, passing } from './load.ts';

const FACT = 'disposable_mx.shares_backend';

/** A resolver with one fixed answer, which counts how often it was asked. */
function answering(answer: DnsAnswer<MxRecord>) {
  const asked: string[] = [];
  const dns: DnsResolver = {
    mx: async (domain) => {
      asked.push(domain);
      return answer;
    },
    addresses: async () => ({ outcome: 'nodata' }),
  };
  return { dns, asked };
}
const to = (...exchanges: readonly (readonly [string, number])[]): DnsAnswer<MxRecord> => ({
  outcome: 'found',
  records: exchanges.map(([exchange, preference]) => ({ exchange, preference })),
  ttlSeconds: 90,
});
const check = async (answer: DnsAnswer<MxRecord>, outcome: string | null = 'mx', thresholds = {}) => {
  const { dns, asked } = answering(answer);
  const needs = { 'mx.outcome': outcome };
  const { ask } = await prepareCheck(disposableMx, { dns, needs, thresholds });
  return { answer: await ask(anAddress('x', 'rotating.example')), asked };
};

describe('a mail host', () => {
  it('of a disposable mail service is named, with the figures that it was listed for', async () => {
    const { answer } = await check(to(['mail.wabblywabble.com', 10]));
    expect(answer).toEqual({
      facts: { [FACT]: true },
      evidence: {
        exchange: 'mail.wabblywabble.com',
        backend: 'wabblywabble.com',
        listed: expect.any(Number),
        resolved: expect.any(Number),
      },
      ttlSeconds: 90,
    });
  });

  it.each([
    'aspmx.l.google.com',
    'route1.mx.cloudflare.net',
    'eforward1.registrar-servers.com',
    'park-mx.above.com',
    'mx1.simplelogin.co',
    'mail.anonaddy.me',
    'notwabblywabble.com',
    'wabblywabble.com.example.org',
    '',
  ])('that is shared, of a relay, or unknown does not count: %j', async (exchange) => {
    expect((await check(to([exchange, 10]))).answer).toMatchObject({ facts: { [FACT]: false } });
  });

  it('counts only where it is the most preferred, or one of the most preferred', async () => {
    const spare = to(['mx.own.example', 10], ['mail.wabblywabble.com', 20]);
    const equal = to(['mx.own.example', 10], ['mail.wabblywabble.com', 10]);
    expect((await check(spare)).answer).toMatchObject({ facts: { [FACT]: false } });
    expect((await check(equal)).answer).toMatchObject({ facts: { [FACT]: true } });
  });

  it.each(['nxdomain', 'nodata'] as const)(
    'that DNS reports as absent does not count: %s',
    async (outcome) => {
      expect((await check({ outcome })).answer).toEqual({ facts: { [FACT]: false } });
    },
  );

  it.each(['timeout', 'servfail', 'refused', 'malformed', 'error'] as const)(
    'whose addresses cannot be looked up is unknown: %s',
    async (outcome) => {
      expect((await check({ outcome })).answer).toEqual({ unknown: outcome, detail: 'MX records' });
    },
  );

  it('is not looked up where the provider mx has no exchange, or no answer', async () => {
    const found = to(['mail.wabblywabble.com', 10]);
    for (const outcome of ['nxdomain', 'null_mx', 'implicit_mx', 'not_a_name']) {
      expect(await check(found, outcome)).toEqual({ answer: { facts: { [FACT]: false } }, asked: [] });
    }
    expect(await check(found, null)).toMatchObject({ answer: { unknown: 'not_run' }, asked: [] });
  });
});

describe('the ratio test', () => {
  const backends: readonly Backend[] = [
    { host: 'few.example', listed: 9, resolved: 9 },
    { host: 'mixed.example', listed: 80, resolved: 100 },
    { host: 'sure.example', listed: 99, resolved: 100 },
    { host: 'mx.shared.example', listed: 100, resolved: 100 },
    { host: 'own.example', source: 'says so itself' },
  ];
  const names = (test: Parameters<typeof passing>[2]) => [
    ...passing(backends, new Set(['shared.example']), test).keys(),
  ];

  it('accepts a host with enough listed domains, nearly all of its domains, that is not shared', () => {
    expect(names({ minDomains: 10, minShare: 0.9 })).toEqual(['sure.example', 'own.example']);
    expect(names({ minDomains: 10, minShare: 0.8 })).toEqual([
      'mixed.example',
      'sure.example',
      'own.example',
    ]);
    expect(names({ minDomains: 1, minShare: 0.9 })).toEqual(['few.example', 'sure.example', 'own.example']);
  });

  it('follows the thresholds', async () => {
    const found = to(['mail.wabblywabble.com', 10]);
    const strict = await check(found, 'mx', { min_domains: 100_000 });
    expect(strict.answer).toMatchObject({ facts: { [FACT]: false } });
  });
});

describe('the shipped hosts', () => {
  it('have their figures or a source, and each is listed once', () => {
    const backends = loadBackends();
    for (const { host, listed, resolved, source } of backends) {
      expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(
        source ?? (listed !== undefined && resolved !== undefined && listed <= resolved),
        host,
      ).toBeTruthy();
    }
    expect(new Set(backends.map(({ host }) => host)).size).toBe(backends.length);
  });

  it('that are measured as shared do not pass the ratio test', () => {
    const shared = loadSharedHosts();
    const measured = loadBackends().filter(({ host }) => closestSuffix(host, shared) !== undefined);
    expect(measured.length).toBeGreaterThan(3);
    const pass = passing(loadBackends(), shared, { minDomains: 0, minShare: 0 });
    for (const { host } of measured) expect(pass.has(host), host).toBe(false);
  });
});

runContract(disposableMx, {
  given: {
    needs: { 'mx.outcome': 'mx' },
    ports: { dns: fakeDns({ 'own.example': { mx: ['mail.own.example'] } }) },
  },
  cases: [
    { email: 'jane@own.example', expect: { [FACT]: false } },
    {
      name: 'whose MX records are unknown',
      email: 'jane@own.example',
      given: { needs: { 'mx.outcome': null } },
      expect: unknown('not_run'),
    },
  ],
});
