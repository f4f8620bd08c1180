import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_RESPONSE } from '../../../src/http/v1/check.presenter.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const isValid = new Ajv2020({ allowUnionTypes: true }).compile(CHECK_RESPONSE);

describe('POST /v1/ answers 200', () => {
  it('in exactly the form of the specification', async () => {
    const { status, headers, json } = await service.check(' Jane.Doe+news@Example.COM ');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(isValid(json)).toBe(true);
    expect(json).toEqual({
      id: expect.stringMatching(/^chk_/),
      created_at: expect.stringMatching(/Z$/),
      summary: { action: 'ALLOW', risk_score: 0, risk_level: 'low' },
      normalized: {
        raw: ' Jane.Doe+news@Example.COM ',
        canonical: 'jane.doe@example.com',
        local_part: 'jane.doe',
        domain: 'example.com',
        subaddress: 'news',
        has_dots_removed: false,
      },
      signals: {
        syntax: { valid_format: true },
        entropy: { score: 2.75, suspicious: false },
        domain: {
          is_known_disposable: false,
          is_known_free_provider: false,
          has_mx: true,
          is_catch_all: false,
          is_role_account: false,
          tld_risk_level: 'low',
        },
      },
    });
  });

  it('uncompressed, also with a long answer to a client that accepts compression', async () => {
    const { status, headers, text } = await service.check(`${'a'.repeat(900)}@example.com`, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, undefined]);
    expect(text.length).toBeGreaterThan(1_024);
    expect(headers['content-length']).toBe(String(text.length));
  });

  it('at /v1 as at /v1/', async () => {
    expect((await service.check('jane@example.com', { path: '/v1' })).status).toBe(200);
  });

  it('with the rule set that decided and no sign of degradation', async () => {
    const { headers } = await service.check('jane@example.com');
    expect(headers['postern-ruleset']).toMatch(/^[0-9a-f]{16}$/);
    expect(headers).not.toHaveProperty('postern-degraded');
  });

  it("with the caller's request id where it is safe, and a generated one where it is not", async () => {
    const mine = await service.check('jane@example.com', { headers: { 'request-id': 'signup-42' } });
    expect(mine.headers['request-id']).toBe('signup-42');
    const bad = await service.check('jane@example.com', { headers: { 'request-id': 'a b' } });
    expect(bad.headers['request-id']).toMatch(/^req_/);
  });

  it('with the remaining rate limit, and no CORS header', async () => {
    const { headers } = await service.check('jane@example.com', {
      headers: { origin: 'https://shop.example' },
    });
    expect(headers['ratelimit-policy']).toBe('"key";q=600;w=60, "account";q=100000;w=2592000');
    expect(headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('with any other members in the body, and with any case of the scheme and charset', async () => {
    const answer = await service.check('', {
      headers: { authorization: `bEARER ${service.key}`, 'content-type': 'Application/JSON; Charset=UTF-8' },
      body: '{"name": "Jane", "__proto__": {}, "email": "jane@example.com"}',
    });
    expect(answer.status).toBe(200);
  });

  it('for an unclean address, which is not blocked for that alone', async () => {
    const { json } = await service.check('"jane doe"@example.com');
    expect(json.signals.syntax.valid_format).toBe(false);
    expect(json.summary).toMatchObject({ action: 'ALLOW' });
    expect(json.summary.risk_score).toBeGreaterThan(0);
  });

  it('BLOCK for a disposable address', async () => {
    const { json } = await service.check('jane@mailinator.com');
    expect(json.signals.domain.is_known_disposable).toBe(true);
    expect(json.summary).toMatchObject({ action: 'BLOCK', risk_level: 'high' });
  });

  it('BLOCK for a domain that does not exist', async () => {
    const { json } = await service.check('jane@nowhere.example');
    expect(json.signals.domain.has_mx).toBe(false);
    expect(json.summary.action).toBe('BLOCK');
  });

  it('with a lone surrogate outside the email, which is ignored', async () => {
    const answer = await service.check('', { body: '{"note":"\\ud800","email":"jane@example.com"}' });
    expect(answer.status).toBe(200);
  });
});

describe('GET', () => {
  it('/healthz and /readyz answer 200', async () => {
    const health = await service.send({ path: '/healthz' });
    expect([health.status, health.json]).toEqual([200, { status: 'ok' }]);
    const ready = await service.send({ path: '/readyz' });
    expect([ready.status, ready.json.status]).toEqual([200, 'ready']);
  });
});
