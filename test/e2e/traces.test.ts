import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDohServer } from '../support/doh-server.ts';
import { startCollector } from '../support/otlp-collector.ts';
import { aClient, keyOf, type PosternProcess, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;

async function collector(status?: number | null) {
  const started = await startCollector(status);
  onTestFinished(() => started.close());
  return started;
}

/** A running service without a reachable DNS server, unless `env` names one. */
async function serve(env: Record<string, string>) {
  const dataDir = join(temporaryDirectory(), 'data');
  const postern = spawnPostern({ dataDir, env: { POSTERN__DNS__SERVERS: '["127.0.0.1:9"]', ...env } });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const check = async (email = 'margaret.doe@example.com', headers = {}, key = keyOf(postern)) => {
    const authorization = `Bearer ${key}`;
    const client = aClient(dataDir, httpsPort, key, {
      headers: { authorization, 'content-type': 'application/json', ...headers },
    });
    onTestFinished(() => client.close());
    return client.check(email);
  };
  return { postern, check };
}

async function stop({ child, exited }: PosternProcess) {
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 0, signal: null });
}

describe('with a collector', () => {
  it('a check is one trace that goes on from the caller to the name server, and tells nothing of the address', async () => {
    const doh = await startDohServer({
      'example.com': { MX: [{ exchange: 'mx.example.com', preference: 1 }] },
    });
    onTestFinished(() => doh.close());
    const ca = join(temporaryDirectory(), 'ca.pem');
    writeFileSync(ca, doh.ca);
    const traces = await collector();
    const { postern, check } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      POSTERN__DNS__DOH_URL: doh.url,
      POSTERN__DNS__SERVERS: '[]',
      POSTERN__DNS__TIMEOUT_MS: '4000',
      POSTERN__CHECK__DEADLINE_MS: '5000',
      NODE_EXTRA_CA_CERTS: ca,
    });
    const { json } = await check('margaret.doe+nickname@example.com', {
      traceparent: TRACEPARENT,
      tracestate: 'vendor=secret',
      'request-id': 'req-1',
    });
    await stop(postern);

    const { spans } = traces;
    const [server] = spans.filter(({ kind }) => kind === 2);
    expect(server).toMatchObject({
      ...{ name: 'POST /v1', traceId: TRACE, parentSpanId: CALLER, status: { code: 0 } },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1',
        'http.response.status_code': 200,
        'postern.request_id': 'req-1',
        'postern.check_id': json.id,
        'postern.environment': 'live',
      },
    });
    const steps = spans.filter((span) => span !== server);
    expect(new Set(steps.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`))).toEqual(
      new Set([`${TRACE} ${server?.spanId}`]),
    );
    const named = (name: string) => steps.find((span) => span.name === name);
    expect(named('decide')?.attributes).toMatchObject({
      'postern.action': json.summary.action,
      'postern.level': json.summary.risk_level,
      'postern.score': json.summary.risk_score,
    });
    expect(named('record')?.attributes).toEqual({});
    expect(named('provider syntax')?.attributes).toEqual({
      'postern.provider': 'syntax',
      'postern.outcome': 'known',
    });
    const mx = named('provider mx');
    expect(mx?.attributes).toMatchObject({ 'postern.outcome': 'known' });

    expect(doh.headers.length).toBeGreaterThan(0);
    expect(doh.headers.map(({ traceparent, tracestate }) => [traceparent, tracestate])).toContainEqual([
      `00-${TRACE}-${mx?.spanId}-01`,
      undefined,
    ]);
    expect(traces.bodies.join()).not.toMatch(/margaret|nickname|example|pst_live/i);
    expect(traces.headers[0]).toMatchObject({ 'x-tenant': 'shop' });
    expect(traces.resource).toMatchObject({
      'service.name': 'postern',
      'deployment.environment.name': 'test',
    });
  });

  it('a look-up that fails, a refusal and its reason are seen, and nothing of what the caller leaves out', async () => {
    const traces = await collector();
    const { postern, check } = await serve({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${traces.url}/v1/traces`,
      OTEL_SERVICE_NAME: 'signup-risk',
    });
    expect((await check()).headers['postern-degraded']).toBe('mx');
    expect((await check('jane@example.com', {}, 'pst_live_nobody')).status).toBe(401);
    await check('joe@example.com', { traceparent: TRACEPARENT.replace(/01$/, '00') });
    await stop(postern);
    const servers = traces.spans.filter(({ kind }) => kind === 2);
    expect(
      servers.map(({ attributes, status }) => [attributes['http.response.status_code'], status.code]),
    ).toEqual([
      [200, 0],
      [401, 0],
    ]);
    expect(servers[1]?.attributes['error.type']).toBe('malformed_api_key');
    expect(traces.spans.find(({ name }) => name === 'provider mx')?.attributes['postern.outcome']).toBe(
      'error',
    );
    expect(traces.resource['service.name']).toBe('signup-risk');
  });
});

describe('trouble with the collector', () => {
  const troubles = (postern: PosternProcess) =>
    postern
      .stderr()
      .split('\n')
      .filter((line) => line.includes('trouble with OpenTelemetry'));

  it('is told once, however many batches are refused', async () => {
    const traces = await collector(400);
    const { postern, check } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_BSP_SCHEDULE_DELAY: '1',
    });
    for (let batches = 1; batches <= 3; batches++) {
      expect((await check()).status).toBe(200);
      await expect.poll(() => traces.bodies.length).toBeGreaterThanOrEqual(batches);
    }
    await stop(postern);
    expect(troubles(postern).map((line) => JSON.parse(line).reason)).toEqual(['400']);
  });

  it('holds up neither a check nor the stop: one that never answers is given up, and a setting that is no good is told', async () => {
    const traces = await collector(null);
    const { postern, check } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      // With these values the test ends in time only because the stop has a limit of its own.
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      OTEL_BSP_EXPORT_TIMEOUT: '600000',
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_TRACES_SAMPLER: 'sometimes',
    });
    expect((await check()).status).toBe(200);
    await expect.poll(() => traces.bodies.length).toBe(1);
    expect((await check()).status).toBe(200);
    await stop(postern);
    expect(troubles(postern)[0]).toContain('OTEL_TRACES_SAMPLER value');
  });

  it('keeps a service from starting whose endpoint is no URL', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' };
    const postern = spawnPostern({ dataDir, env });
    expect(await postern.exited).toEqual({ code: 78, signal: null });
    expect(postern.stderr()).toContain('OTEL_EXPORTER_OTLP_ENDPOINT: is no URL of a collector');
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('nothing of OpenTelemetry', () => {
  /** OpenTelemetry modules that a service loads to answer one check, in any of its processes and threads. */
  async function loadedWith(env: Record<string, string>): Promise<string> {
    const file = join(temporaryDirectory(), 'loaded.txt');
    writeFileSync(file, '');
    const hook = `
      import { appendFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        if (url.includes('opentelemetry')) appendFileSync(${JSON.stringify(file)}, url + '\\n');
        return next(url, context);
      } });`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const { postern, check } = await serve({ NODE_OPTIONS: preload, ...env });
    expect((await check()).status).toBe(200);
    await stop(postern);
    return readFileSync(file, 'utf8');
  }

  // embedded-modules.test.ts covers a service without an endpoint.
  it('is loaded with OTEL_SDK_DISABLED', async () => {
    const { url } = await collector();
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
    expect(await loadedWith({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBe('');
    expect(await loadedWith(endpoint)).toContain('sdk-trace');
  });
});
