import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { JsonClient, type JsonClientOptions } from '../../src/net/json-client.ts';
import { traceHeaders } from '../../src/observability/tracing.ts';
import { fakeDns } from '../../src/provider-kit/testing/index.ts';

const ORIGIN = 'https://api.test';
const URL_ = `${ORIGIN}/v1/score`;

beforeAll(() => nock.disableNetConnect());
afterEach(() => {
  vi.useRealTimers();
  nock.abortPendingRequests();
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});
afterAll(() => nock.enableNetConnect());

const dns = fakeDns({
  'api.test': { addresses: ['8.8.8.8'] },
  'inside.test': {
    addresses: ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd00::1', '100.64.0.1', '169.254.1.1'],
  },
});

function aClient(more: Partial<JsonClientOptions> = {}) {
  const outcomes: string[] = [];
  const breaker: [string, boolean][] = [];
  const client = new JsonClient({
    dns,
    origins: new Set([ORIGIN, 'https://inside.test', 'https://nowhere.test']),
    privateOrigins: new Set(),
    concurrency: 8,
    maxBytes: 1_000,
    timeoutMs: 5_000,
    onAnswer: (outcome) => outcomes.push(outcome),
    onBreaker: (origin, isOpen) => breaker.push([origin, isOpen]),
    ...more,
  });
  return { client, outcomes, breaker };
}

const refused = (code: string) => Object.assign(new Error(`connect ${code} for jane`), { code });

describe('a request', () => {
  it('returns the status and the JSON, and sends the given headers and the user agent', async () => {
    nock(ORIGIN)
      .get('/v1/score?hash=ab')
      .matchHeader('authorization', 'Bearer s3cret')
      .matchHeader('accept', 'application/json')
      .matchHeader('user-agent', /^postern\/\d/)
      .reply(200, { score: 7 });
    const { client, outcomes } = aClient();
    const headers = { authorization: 'Bearer s3cret' };
    expect(await client.getJson(`${URL_}?hash=ab`, { headers })).toEqual({
      outcome: 'ok',
      status: 200,
      body: { score: 7 },
    });
    expect(outcomes).toEqual(['ok']);
  });

  it('sends the trace that it belongs to', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    nock(ORIGIN).get('/v1/score').matchHeader('traceparent', traceparent).reply(200, '1');
    const asked = traceHeaders.run({ traceparent }, () => aClient().client.getJson(URL_));
    expect(await asked).toMatchObject({ outcome: 'ok' });
  });

  it('sends a body as JSON, and no header changes its destination', async () => {
    nock(ORIGIN, { badheaders: ['proxy-authorization', 'transfer-encoding'] })
      .post('/v1/score', { hash: 'ab' })
      .matchHeader('host', 'api.test')
      .matchHeader('content-type', 'application/json')
      .reply(201, '{"id":1}');
    const headers = { Host: 'evil.test', 'Proxy-Authorization': 'x', 'transfer-encoding': 'chunked' };
    const answer = await aClient().client.request(URL_, { method: 'POST', body: { hash: 'ab' }, headers });
    expect(answer).toEqual({ outcome: 'ok', status: 201, body: { id: 1 } });
  });

  it.each([
    [
      'a status of another class, with its JSON',
      404,
      '{"error":"unknown"}',
      { outcome: 'status', status: 404, body: { error: 'unknown' } },
    ],
    ['a status of another class without JSON', 401, '<html>', { outcome: 'status', status: 401, body: null }],
    ['no content', 204, '', { outcome: 'ok', status: 204, body: null }],
    ['an empty body', 200, '', { outcome: 'malformed', code: 'json' }],
    ['no JSON', 200, '<html>', { outcome: 'malformed', code: 'json' }],
    ['JSON that is no UTF-8', 200, Buffer.from([0x22, 0xff, 0x22]), { outcome: 'malformed', code: 'json' }],
    ['more than is taken', 200, JSON.stringify('x'.repeat(1_000)), { outcome: 'malformed', code: 'body' }],
  ])('returns data at %s', async (_what, status, body, answer) => {
    nock(ORIGIN).get('/v1/score').reply(status, body);
    expect(await aClient().client.getJson(URL_)).toEqual(answer);
  });

  it('follows no redirection, to any address', async () => {
    nock(ORIGIN)
      .get('/v1/score')
      .reply(302, '', { location: `${ORIGIN}/v2/score` });
    expect(await aClient().client.getJson(URL_)).toEqual({ outcome: 'refused', code: 'redirect' });
  });

  it.each([
    ['http://api.test/v1/score', 'origin'],
    ['https://api.test:8443/v1/score', 'origin'],
    ['https://api.test.evil.test/', 'origin'],
    ['https://api.test@evil.test/', 'url'],
    ['https://jane:pw@api.test/', 'url'],
    ['//api.test/', 'url'],
    ['', 'url'],
    ['https://inside.test/', 'address'],
  ])('is not sent to %j', async (url, code) => {
    const { client, outcomes } = aClient();
    expect(await client.getJson(url)).toEqual({ outcome: 'refused', code });
    expect(outcomes).toEqual(['refused']);
  });

  it('is sent to a private address where the operator allows it for this origin', async () => {
    nock('https://inside.test').get('/').reply(200, '1');
    const { client } = aClient({ privateOrigins: new Set(['https://inside.test']) });
    expect(await client.getJson('https://inside.test/')).toMatchObject({ outcome: 'ok', body: 1 });
  });

  it("reveals only the system's code of an error", async () => {
    nock(ORIGIN).post('/v1/score').replyWithError(refused('ECONNREFUSED'));
    expect(await aClient().client.request(URL_, { method: 'POST' })).toEqual({
      outcome: 'error',
      code: 'ECONNREFUSED',
    });
    expect(await aClient({ timeoutMs: 20 }).client.getJson('https://nowhere.test/')).toEqual({
      outcome: 'error',
    });
  });
});

describe('a retry', () => {
  it.each([502, 503, 504])(
    'is made after %i, twice at most, where a repeated request does no harm',
    async (status) => {
      nock(ORIGIN).get('/v1/score').times(2).reply(status).get('/v1/score').reply(200, '1');
      const { client, outcomes } = aClient();
      expect(await client.getJson(URL_)).toMatchObject({ outcome: 'ok' });
      nock(ORIGIN).get('/v1/score').times(3).reply(status);
      expect(await client.getJson(URL_)).toEqual({ outcome: 'status', status, body: null });
      expect(outcomes).toEqual(['ok', 'status']);
    },
  );

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'] as const)(
    'is made by %s where the connection failed',
    async (method) => {
      nock(ORIGIN).intercept('/v1/score', method).replyWithError(refused('ECONNRESET'));
      nock(ORIGIN).intercept('/v1/score', method).reply(204);
      expect(await aClient().client.request(URL_, { method })).toMatchObject({ outcome: 'ok' });
    },
  );

  it.each([
    ['of POST', 'POST', 503],
    ['after a status that another attempt would not change', 'GET', 500],
    ['where it asks too often', 'GET', 429],
    ['where there is nothing', 'GET', 404],
  ] as const)('is not made %s', async (_what, method, status) => {
    nock(ORIGIN).intercept('/v1/score', method).reply(status);
    expect(await aClient().client.request(URL_, { method })).toMatchObject({ outcome: 'status', status });
  });

  it('waits at least half of its delay, longer the second time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    const asked: number[] = [];
    nock(ORIGIN)
      .get('/v1/score')
      .times(3)
      .reply(() => {
        asked.push(performance.now());
        return [503, ''];
      });
    const answer = aClient().client.getJson(URL_);
    for (let ms = 0; ms < 200; ms++) {
      await vi.advanceTimersByTimeAsync(1);
      await new Promise(setImmediate);
    }
    expect(await answer).toMatchObject({ status: 503 });
    const [first = 0, second = 0, third = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(19);
    expect(second - first).toBeLessThanOrEqual(60);
    expect(third - second).toBeGreaterThanOrEqual(39);
  });

  it('is not made after cancellation: the received answer is returned', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    let asked = 0;
    nock(ORIGIN)
      .get('/v1/score')
      .times(2)
      .reply(() => {
        asked++;
        return [503, ''];
      });
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed++) {
        await vi.advanceTimersByTimeAsync(1);
        await new Promise(setImmediate);
      }
    };
    const gone = new AbortController();
    const answer = aClient().client.getJson(URL_, { signal: gone.signal });
    // Half of the shortest delay.
    await pass(10);
    expect(asked).toBe(1);
    gone.abort();
    expect(await answer).toEqual({ outcome: 'status', status: 503, body: null });
    await pass(400);
    expect(asked).toBe(1);
    nock.cleanAll();
  });
});

describe('the time limit', () => {
  it('is an outcome when it is over, for the provider’s limit and for the question’s', async () => {
    nock(ORIGIN).get('/v1/score').times(2).delay(60_000).reply(200, '1');
    expect(await aClient({ timeoutMs: 20 }).client.getJson(URL_)).toEqual({ outcome: 'timeout' });
    const signal = AbortSignal.timeout(20);
    expect(await aClient().client.getJson(URL_, { signal })).toEqual({ outcome: 'timeout' });
    expect(await aClient().client.getJson(URL_, { signal: AbortSignal.abort() })).toEqual({
      outcome: 'timeout',
    });
  });

  it('ends for all requests when the service stops', async () => {
    nock(ORIGIN).get('/v1/score').delay(60_000).reply(200, '1');
    const { client } = aClient();
    const answer = client.getJson(URL_);
    client.close();
    expect(await answer).toEqual({ outcome: 'timeout' });
    nock.cleanAll();
  });
});

describe('an origin that fails', () => {
  const failing = (times: number) => nock(ORIGIN).post('/v1/score').times(times).reply(500);
  const post = ({ client }: ReturnType<typeof aClient>) => client.request(URL_, { method: 'POST' });

  it('five times in a row is not asked any more, tried once after a while, and asked again when it answers', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const asker = aClient();
    failing(5);
    for (let turn = 0; turn < 5; turn++) expect(await post(asker)).toMatchObject({ status: 500 });
    expect(asker.breaker).toEqual([[ORIGIN, true]]);
    expect(await post(asker)).toEqual({ outcome: 'breaker_open' });
    // Other origins are not affected.
    expect(await asker.client.getJson('https://inside.test/')).toEqual({
      outcome: 'refused',
      code: 'address',
    });
    vi.advanceTimersByTime(5_000);
    failing(1);
    expect(await post(asker)).toMatchObject({ status: 500 });
    expect(await post(asker)).toEqual({ outcome: 'breaker_open' });
    vi.advanceTimersByTime(60_000);
    nock(ORIGIN).post('/v1/score').times(2).reply(200, '1');
    expect(await post(asker)).toMatchObject({ outcome: 'ok' });
    expect(await post(asker)).toMatchObject({ outcome: 'ok' });
    expect(asker.breaker.at(-1)).toEqual([ORIGIN, false]);
  });

  it.each([
    ['answers that are no fault of its own', 404],
    ['too many requests', 429],
  ])('is not one that answers %s', async (_what, status) => {
    const asker = aClient();
    nock(ORIGIN).post('/v1/score').times(8).reply(status);
    for (let turn = 0; turn < 8; turn++) expect(await post(asker)).toMatchObject({ status });
    expect(asker.breaker).toEqual([]);
  });

  it.each([
    { headers: { 'x-name': 'Ωmega' } },
    { headers: { 'x name': 'a' } },
    { headers: { 'x-name': undefined as never } },
    { method: 'GE T' as never },
    { method: 'PUT' as const, body: 1n },
    { method: 'PUT' as const, body: () => 1 },
  ])('is not one whose request cannot be written: %o', async (request) => {
    const { client, breaker } = aClient();
    for (let time = 0; time < 6; time++)
      expect(await client.request(URL_, request)).toEqual({ outcome: 'refused', code: 'request' });
    expect(breaker).toEqual([]);
    nock(ORIGIN).get('/v1/score').reply(200, '1');
    expect(await client.getJson(URL_)).toMatchObject({ outcome: 'ok' });
  });

  it('is not one that is cancelled early: only half of the time, or an answer, says something about the server', async () => {
    const asker = aClient({ concurrency: 1, timeoutMs: 300 });
    nock(ORIGIN).post('/v1/score').times(12).delay(120).reply(200, '1');
    const burst = await Promise.all(Array.from({ length: 8 }, () => post(asker)));
    expect(burst.map(({ outcome }) => outcome)).toContain('timeout');
    for (let turn = 0; turn < 8; turn++)
      await asker.client.request(URL_, { method: 'POST', signal: AbortSignal.timeout(20) });
    expect(asker.breaker).toEqual([]);
    nock.cleanAll();
  });

  it('is one that lets five requests time out', async () => {
    const asker = aClient({ timeoutMs: 50 });
    nock(ORIGIN).post('/v1/score').times(5).delay(5_000).reply(200, '1');
    for (let turn = 0; turn < 5; turn++) expect(await post(asker)).toEqual({ outcome: 'timeout' });
    // A cancelled request is counted once it has ended.
    await expect.poll(() => asker.breaker).toEqual([[ORIGIN, true]]);
  });

  it('is not blocked forever where the clock of the machine is set back', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    const asker = aClient();
    failing(5);
    for (let turn = 0; turn < 5; turn++) await post(asker);
    vi.setSystemTime(Date.now() - 86_400_000);
    vi.advanceTimersByTime(59_000);
    expect(await post(asker)).toEqual({ outcome: 'breaker_open' });
    vi.advanceTimersByTime(2_000);
    nock(ORIGIN).post('/v1/score').reply(200, '1');
    expect(await post(asker)).toMatchObject({ outcome: 'ok' });
    expect(asker.breaker).toEqual([
      [ORIGIN, true],
      [ORIGIN, false],
    ]);
  });
});

it('limits concurrent requests, lets eight times as many wait, and refuses more', async () => {
  const { client } = aClient({ concurrency: 2 });
  let underWay = 0;
  let most = 0;
  nock(ORIGIN)
    .post('/v1/score')
    .times(18)
    .reply(async () => {
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay--;
      return [200, '1'];
    });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.request(URL_, { method: 'POST' })),
  );
  expect(most).toBe(2);
  expect(answers.filter(({ outcome }) => outcome === 'ok')).toHaveLength(18);
  expect(answers.filter((answer) => 'code' in answer && answer.code === 'busy')).toHaveLength(2);
});
