import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type HttpDeclaration, unknownFrom } from '../../src/provider-kit/index.ts';
import { HttpClients } from '../../src/signals/provider-ports.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aNetworkProvider } from '../support/providers.ts';

function clients(privateOrigins: readonly string[] = []) {
  const lines: string[] = [];
  const count = vi.fn();
  const set = vi.fn();
  const addresses = vi.fn(async () => ({ outcome: 'found' as const, records: ['127.0.0.1'] }));
  const opened = new HttpClients({
    dns: { mx: async () => ({ outcome: 'nodata' }), addresses },
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    metrics: { ...noMetrics, count, set },
    privateOrigins,
    deadlineMs: 500,
  });
  return { opened, lines, count, set, addresses };
}

const asking = (http: HttpDeclaration) => aNetworkProvider('register', { uses: ['http'], http });
const REFUSED = { outcome: 'refused', code: 'origin' };

it('asks only the origins that are declared, or that an option names', async () => {
  const { opened } = clients();
  const provider = asking({ origins: ['https://api.test', { option: 'url' }, { option: 'other' }] });
  const http = await opened.of(provider, { url: 'https://own.test:8443/v1?a=b', other: null });
  // Up to the address, which is not public.
  const reached = { outcome: 'refused', code: 'address' };
  expect(await http.getJson('https://api.test/x')).toEqual(reached);
  expect(await http.getJson('https://own.test:8443/other')).toEqual(reached);
  for (const url of ['https://own.test/', 'https://api.test:8443/', 'https://other.test/'])
    expect(await http.getJson(url)).toEqual(REFUSED);
});

it.each(['http://own.test/', 'own.test', 'file:///etc/passwd', ''])(
  'stops the start where the option is %j, which names no valid server',
  async (url) => {
    const { opened } = clients();
    const provider = asking({ origins: [{ option: 'url' }] });
    await expect(opened.of(provider, { url })).rejects.toThrow('its option url is no https: URL');
    const httpFor = () => opened.of(provider, { url });
    await expect(aCollector([provider], { ports: { httpFor } })).rejects.toMatchObject({
      faults: ['provider "register": cannot prepare: its option url is no https: URL'],
    });
  },
);

it('is one client for each provider, over all reloads, and has its metrics from the start', async () => {
  const { opened, count, set } = clients();
  const provider = asking({ origins: ['https://api.test'] });
  const http = await opened.of(provider, {});
  expect(await opened.of(provider, {})).toBe(http);
  expect(count).toHaveBeenCalledWith(
    'postern_http_requests_total',
    { provider: 'register', outcome: 'ok' },
    0,
  );
  expect(set.mock.calls).toEqual([['postern_http_origins_left_alone', { provider: 'register' }, 0]]);
  await http.getJson('https://elsewhere.test/');
  expect(count).toHaveBeenLastCalledWith('postern_http_requests_total', {
    provider: 'register',
    outcome: 'refused',
  });
});

it('reports by log and metric which origin is not asked any more, and nothing else of the requests', async () => {
  const { opened, lines, set } = clients(['https://127.0.0.1:9']);
  // Nothing listens on port 9 (discard); the words of the system do not matter here.
  const http = await opened.of(asking({ origins: ['https://127.0.0.1:9'] }), {});
  const ask = () => http.request('https://127.0.0.1:9/jane@example.com', { method: 'POST', body: 'jane' });
  for (let turn = 0; turn < 5; turn++) expect(await ask()).toMatchObject({ outcome: 'error' });
  expect(await ask()).toEqual({ outcome: 'breaker_open' });
  expect(set).toHaveBeenLastCalledWith('postern_http_origins_left_alone', { provider: 'register' }, 1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, provider: 'register', origin: 'https://127.0.0.1:9' },
  ]);
  expect(lines.join()).not.toContain('jane');
});

it('is available to a provider that names it, but not offline or with a test key', async () => {
  const { opened, addresses } = clients();
  const provider = aNetworkProvider('register', {
    uses: ['http'],
    http: { origins: ['https://api.test'] },
    check: async (_address, { http, signal }) => {
      const answer = await http?.getJson('https://api.test/', { signal });
      return answer ? unknownFrom(answer) : { facts: { 'register.seen': true } };
    },
  });
  const httpFor = opened.of.bind(opened);
  const { collector, prepared, collect } = await aCollector([provider], { ports: { httpFor } });
  expect((await collector.collectLocal(anAddress(), prepared)).unknown).toEqual({
    'register.seen': 'not_run',
  });
  expect(addresses).not.toHaveBeenCalled();
  expect(await collect(anAddress())).toMatchObject({
    unknown: { 'register.seen': 'refused' },
    evidence: { register: { unknown: 'address' } },
    degraded: ['register'],
  });
  expect(addresses).toHaveBeenCalledOnce();
});

it.each([
  [
    { outcome: 'ok', status: 200, body: {} },
    { unknown: 'error', detail: 'status 200' },
  ],
  [
    { outcome: 'status', status: 503, body: null },
    { unknown: 'error', detail: 'status 503' },
  ],
  [{ outcome: 'timeout' }, { unknown: 'timeout' }],
  [
    { outcome: 'refused', code: 'redirect' },
    { unknown: 'refused', detail: 'redirect' },
  ],
  [
    { outcome: 'malformed', code: 'json' },
    { unknown: 'malformed', detail: 'json' },
  ],
  [{ outcome: 'breaker_open' }, { unknown: 'error', detail: 'breaker_open' }],
  [
    { outcome: 'error', code: 'ECONNREFUSED' },
    { unknown: 'error', detail: 'ECONNREFUSED' },
  ],
] as const)('%j is unknown, because %j', (answer, why) => expect(unknownFrom(answer)).toEqual(why));
