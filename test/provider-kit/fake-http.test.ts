import { expect, it } from 'vitest';
import { type Answer, unknown } from '../../src/provider-kit/index.ts';
import {
  anAddress,
  contractChecks,
  fakeHttp,
  prepareProvider,
} from '../../src/provider-kit/testing/index.ts';
import { aNetworkProvider } from '../support/providers.ts';

const URL_ = 'https://api.test/v1';

it('answers JSON by URL, prepared port answers, and 404 elsewhere, and records the requests', async () => {
  const http = fakeHttp({
    [URL_]: { score: 7 },
    'https://api.test/down': { outcome: 'status', status: 503, body: null },
  });
  expect(await http.getJson(URL_, { headers: { a: 'b' } })).toEqual({
    outcome: 'ok',
    status: 200,
    body: { score: 7 },
  });
  expect(await http.getJson('https://api.test/down')).toMatchObject({ status: 503 });
  expect(await http.request('https://api.test/else', { method: 'POST', body: 1 })).toMatchObject({
    status: 404,
  });
  expect(http.asked).toEqual([
    { url: URL_, headers: { a: 'b' } },
    { url: 'https://api.test/down' },
    { url: 'https://api.test/else', method: 'POST', body: 1 },
  ]);
});

it('fails on demand, answers each request differently on demand, and can stay silent until the abort signal', async () => {
  expect(await fakeHttp('breaker_open').getJson(URL_)).toEqual({ outcome: 'breaker_open' });
  const echo = fakeHttp(({ url }) => ({ outcome: 'ok', status: 200, body: url }));
  expect(await echo.getJson(URL_)).toMatchObject({ body: URL_ });
  const gone = new AbortController();
  const silent = fakeHttp('silence').getJson(URL_, { signal: gone.signal });
  gone.abort();
  expect(await silent).toEqual({ outcome: 'timeout' });
});

/** The contract faults of a provider that requests a score. */
async function faultsOf(read: (body: unknown, outcome: string) => Answer): Promise<readonly string[]> {
  const provider = aNetworkProvider('asker', {
    uses: ['http'],
    http: { origins: ['https://api.test'] },
    check: async (_address, { http, signal }) => {
      const answer = await http?.getJson(URL_, { signal });
      return read(answer && 'body' in answer ? answer.body : null, answer?.outcome ?? '');
    },
  });
  const given = { ports: { http: fakeHttp({ [URL_]: { seen: true } }) } };
  const cases = [{ email: 'jane@example.com', expect: { 'asker.seen': true } }];
  const failed: string[] = [];
  for (const { name, run } of contractChecks(provider, { given, cases }))
    await run().catch(() => failed.push(name));
  return failed;
}

it.each([
  ['https://other.test/v1', 'asked https://other.test, which its http.origins do not name'],
  ['https://me:word@api.test/v1', 'asked what is no URL, or has a user or password'],
  ['/v1', 'asked what is no URL'],
])('refuses to request %s as the service does, and reports it', async (url, told) => {
  const provider = aNetworkProvider('asker', {
    uses: ['http'],
    http: { origins: ['https://api.test'] },
    check: async (_address, { http }) => unknown((await http?.getJson(url))?.outcome as 'refused'),
  });
  const http = fakeHttp({ [url]: {} });
  const { answer, breaches } = await (await prepareProvider(provider, { ports: { http } }))(anAddress());
  expect(answer).toEqual({ unknown: 'refused' });
  expect(breaches).toEqual([expect.stringContaining(told)]);
  expect(http.asked).toEqual([]);
});

const known = (seen: boolean): Answer => ({ facts: { 'asker.seen': seen } });

it('requires a provider to answer unknown where a request fails, and to handle unexpected JSON', async () => {
  expect(await faultsOf((body) => (body ? known(true) : unknown('error')))).toEqual([]);
  expect(await faultsOf((body) => known(Boolean(body)))).toEqual([
    ...['timeout', 'refused', 'malformed', 'breaker_open', 'error'].map(
      (failure) => `answers unknown, and why, where a request fails: ${failure}`,
    ),
    'answers unknown, and why, where the server fails: status 500',
    'answers unknown, and why, where the server answers what was not agreed on',
  ]);
  const careless = await faultsOf((body, outcome) =>
    outcome === 'ok' ? known((body as { seen: boolean }).seen) : unknown('error'),
  );
  expect(careless).toContain('answers unknown, and why, where the server answers what was not agreed on');
});
