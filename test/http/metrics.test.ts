import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { parseExposition, sampleOf } from '../observability/exposition.ts';
import { expectRefusal, startTestService, type TestService } from '../support/service.ts';
import { SHARED_STATES } from '../support/service-database.ts';
import type { Answer } from '../support/transmit.ts';

const TOKEN = 'a-token-for-the-tests-of-metrics';
const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

async function started(settings: Record<string, unknown>): Promise<TestService> {
  const service = await startTestService(settings);
  onTestFinished(() => service.stop());
  return service;
}

const scrape = (service: TestService, authorization?: string) =>
  service.send({ path: '/metrics', headers: authorization === undefined ? {} : { authorization } });

/** From the port of the metrics, which is plain HTTP. */
function scrapePlain(port: number | null, path = '/metrics', headers: Record<string, string> = {}) {
  return new Promise<Answer>((resolve, reject) => {
    get({ host: '127.0.0.1', port: port ?? 0, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const json = text.startsWith('{') ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    }).on('error', reject);
  });
}

describe('GET /metrics', () => {
  it('is 404 with neither port nor token, with any token', async () => {
    const service = await started({});
    expectRefusal(await scrape(service), 'not_found');
    expectRefusal(await scrape(service, `Bearer ${TOKEN}`), 'not_found');
    expect(service.metricsPort).toBeNull();
  });

  it('has its own port where one is set, open without a token, with nothing else on it; 404 on the main port', async () => {
    const service = await started({ metrics: { port: 0 } });
    const answer = await scrapePlain(service.metricsPort);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, CONTENT_TYPE]);
    parseExposition(answer.text);
    expectRefusal(await scrape(service), 'not_found');
    for (const path of ['/', '/v1/', '/healthz', '/readyz', '/openapi.json']) {
      expectRefusal(await scrapePlain(service.metricsPort, path), 'not_found');
    }
  });

  it('requires the token on that port too, where both are set', async () => {
    const service = await started({ metrics: { port: 0, token: TOKEN } });
    expectRefusal(await scrapePlain(service.metricsPort), 'missing_api_key');
    const authorization = `Bearer ${TOKEN}`;
    expect((await scrapePlain(service.metricsPort, '/metrics', { authorization })).status).toBe(200);
    expectRefusal(await scrape(service, authorization), 'not_found');
  });
});

describe('the token', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ metrics: { token: TOKEN } });
  });
  afterAll(() => service.stop());

  it('gives access to /metrics; a request without it gets 401', async () => {
    for (const authorization of [`Bearer ${TOKEN}`, `bEARER   ${TOKEN}`]) {
      const answer = await scrape(service, authorization);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' });
      expect(parseExposition(answer.text).size).toBeGreaterThan(20);
    }
    for (const none of [undefined, 'Basic eDp5', TOKEN]) {
      const answer = await scrape(service, none);
      expectRefusal(answer, 'missing_api_key');
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="postern metrics"');
    }
    for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), service.key]) {
      const answer = await scrape(service, `Bearer ${wrong}`);
      expectRefusal(answer, 'invalid_api_key');
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer realm="postern metrics", error="invalid_token"',
      );
    }
  });

  it('is accepted only with GET and HEAD', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const refused = await service.send({ method: 'POST', path: '/metrics', headers });
    expectRefusal(refused, 'method_not_allowed');
    expect(refused.headers.allow).toBe('GET, HEAD');
    const head = await service.send({ method: 'HEAD', path: '/metrics', headers });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('shows the reasons of /readyz only to a request with it', async () => {
    const ask = (authorization?: string) =>
      service.send({ path: '/readyz', headers: authorization === undefined ? {} : { authorization } });
    expect((await ask(`Bearer ${TOKEN}`)).json).toEqual({
      status: 'ready',
      states: { storage: 'ok', rules: 'ok', retention: 'ok', accepting: 'ok', ...SHARED_STATES },
      reasons: {},
    });
    for (const other of [undefined, 'Bearer wrong', `Bearer ${service.key}`]) {
      expect((await ask(other)).json).not.toHaveProperty('reasons');
    }
  });

  it('is not guessed at by the credentials of another scheme, which a proxy adds to its probes of /readyz', async () => {
    const headers = { authorization: `Basic ${btoa('probe:secret')}` };
    for (let probe = 0; probe < 25; probe += 1) {
      const { status, json } = await service.send({ path: '/readyz', headers });
      expect([status, json.reasons]).toEqual([200, undefined]);
    }
  });

  it('is protected against guessing, at /readyz too: 429, and still 200 for the right one from the same address', async () => {
    let refused = await scrape(service, 'Bearer guess');
    for (let guess = 0; guess < 20; guess++) {
      refused = await service.send({ path: '/readyz', headers: { authorization: `Bearer guess-${guess}` } });
    }
    expectRefusal(refused, 'rate_limited');
    expectRefusal(await scrape(service, 'Bearer guess'), 'rate_limited');
    expect((await service.send({ path: '/readyz' })).status).toBe(200);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const answer = await scrape(service, `Bearer ${TOKEN}`);
    const denials = 'postern_limit_denials_total{limit="failed_auth"}';
    expect(sampleOf(parseExposition(answer.text), denials)).toBeGreaterThan(0);
  });
});

describe('the metrics count', () => {
  let service: TestService;
  let rules: string;
  beforeAll(async () => {
    rules = mkdtempSync(join(tmpdir(), 'postern-rules-'));
    cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
    service = await startTestService({
      metrics: { port: 0 },
      rules: { dir: rules },
      rate_limit: { requests: 30 },
      quota: { checks_per_month: 12 },
    });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(rules, { recursive: true });
  });

  /** The growth of the samples with these names and labels. */
  async function growth(ids: readonly string[], work: () => Promise<unknown>) {
    const read = async () => parseExposition((await scrapePlain(service.metricsPort)).text);
    const before = await read();
    await work();
    const after = await read();
    return ids.map((id) => (sampleOf(after, id) ?? 0) - (sampleOf(before, id) ?? 0));
  }

  it('each live check once: its stages, its decision, and the outcome of every provider', async () => {
    const stages = ['parse', 'collect', 'decide', 'record', 'whole'];
    const ids = [
      'postern_checks_total{environment="live"}',
      'postern_decisions_total{action="ALLOW",level="low"}',
      'postern_decisions_total{action="BLOCK",level="high"}',
      ...stages.map((stage) => `postern_check_duration_seconds_count{stage="${stage}"}`),
      'postern_provider_answers_total{provider="syntax",outcome="known"}',
      'postern_provider_duration_seconds_count{provider="syntax"}',
      'postern_provider_answers_total{provider="mx",outcome="known"}',
      'postern_provider_duration_seconds_count{provider="mx"}',
      'postern_answer_cache_reads_total{provider="mx",result="miss"}',
      'postern_answer_cache_reads_total{provider="mx",result="hit"}',
    ];
    const grown = await growth(ids, async () => {
      await service.check('jane@example.com');
      await service.check('john@example.com');
      await service.check('jane@mailinator.com');
    });
    expect(grown).toEqual([3, 2, 1, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 1]);
  });

  it('a failed look-up by its reason', async () => {
    service.dns.setBehaviour('servfail');
    const grown = await growth(['postern_provider_answers_total{provider="mx",outcome="servfail"}'], () =>
      service.check('jane@no-mail.example'),
    );
    service.dns.setBehaviour('healthy');
    expect(grown).toEqual([1]);
  });

  it('checks with a test key as such, and in no other metric', async () => {
    const authorization = `Bearer ${await service.createKey('test')}`;
    const ids = [
      'postern_checks_total{environment="test"}',
      'postern_checks_total{environment="live"}',
      'postern_decisions_total{action="ALLOW",level="low"}',
      'postern_check_duration_seconds_count{stage="collect"}',
      'postern_check_duration_seconds_count{stage="whole"}',
      'postern_provider_answers_total{provider="syntax",outcome="known"}',
      'postern_refusals_total{code="unavailable",environment="test"}',
      'postern_refusals_total{code="unavailable",environment="live"}',
    ];
    const grown = await growth(ids, async () => {
      await service.check('clean@postern.test', { headers: { authorization } });
      await service.check('error_503@postern.test', { headers: { authorization } });
    });
    expect(grown).toEqual([1, 0, 0, 0, 0, 0, 1, 0]);
  });

  it('refusals by code and environment, including those before any route', async () => {
    const ids = [
      'postern_refusals_total{code="unparseable_email",environment="live"}',
      'postern_refusals_total{code="missing_api_key",environment="none"}',
      'postern_refusals_total{code="not_found",environment="none"}',
      'postern_refusals_total{code="https_required",environment="none"}',
      'postern_refusals_total{code="headers_too_large",environment="none"}',
    ];
    const grown = await growth(ids, async () => {
      await service.check('jane');
      await service.send({ method: 'POST', path: '/v1/' });
      await service.send({ path: '/elsewhere' });
      await scrapePlain(service.plainPort);
      await scrapePlain(service.metricsPort, '/metrics', { 'x-long': 'x'.repeat(20_000) });
    });
    expect(grown).toEqual([1, 1, 1, 1, 1]);
  });

  it('a rule set that is activated and one that is refused, with the time of each', async () => {
    const ids = [
      'postern_rules_loads_total{result="success"}',
      'postern_rules_loads_total{result="failure"}',
      'postern_memo_reads_total{result="hit"}',
    ];
    const grown = await growth(ids, async () => {
      await service.reload();
      writeFileSync(join(rules, 'broken.yaml'), 'group: broken\n');
      await service.reload();
    });
    expect(grown).toEqual([1, 1, 0]);
    const families = parseExposition((await scrapePlain(service.metricsPort)).text);
    const at = (result: string) =>
      sampleOf(families, `postern_rules_last_load_timestamp_seconds{result="${result}"}`) ?? 0;
    expect(at('success')).toBeGreaterThan(1.7e9);
    expect(at('failure')).toBeGreaterThanOrEqual(at('success'));
    const { headers } = await service.check('jane@example.com');
    const [ruleset] = [...(families.get('postern_ruleset_info')?.samples.keys() ?? [])];
    expect(ruleset).toBe(`postern_ruleset_info{ruleset="${headers['postern-ruleset']}"}`);
  });

  it('the lists that providers answer from', async () => {
    const families = parseExposition((await scrapePlain(service.metricsPort)).text);
    const list = 'provider="disposable",list="disposable-domains"';
    expect(sampleOf(families, `postern_list_entries{${list}}`)).toBeGreaterThan(1_000);
    const dated = [...(families.get('postern_list_timestamp_seconds')?.samples.values() ?? [])];
    // Unix seconds in the past: the oldest list is from 2022.
    expect(Math.min(...dated)).toBeGreaterThan(Date.parse('2022-01-01') / 1000);
    expect(Math.max(...dated)).toBeLessThan(Date.now() / 1000);
    expect(dated.length).toBeGreaterThan(5);
  });

  it('each limit that was reached separately', async () => {
    const ids = ['key', 'account', 'failed_auth'].map(
      (limit) => `postern_limit_denials_total{limit="${limit}"}`,
    );
    const grown = await growth(ids, async () => {
      let answer = await service.check('jane@example.com');
      while (answer.status === 200) answer = await service.check('jane@example.com');
      expectRefusal(answer, 'quota_exhausted');
      while (answer.json.error.code === 'quota_exhausted') answer = await service.check('jane@example.com');
      expectRefusal(answer, 'rate_limited');
    });
    expect(grown.map((n) => n > 0)).toEqual([true, true, false]);
  });

  it('nothing that identifies a client or an address', async () => {
    const { text } = await scrapePlain(service.metricsPort);
    expect(text).toContain('postern_decisions_total');
    expect(text).not.toMatch(/jane|example|mailinator|pst_|acc_|key_|default/);
  });
});
