import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORCED_ACTIONS, REFUSALS, SANDBOX_DOMAIN, SCENARIOS } from '../../../src/checks/sandbox.ts';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let testKey: string;
beforeAll(async () => {
  service = await startTestService();
  testKey = await service.createKey('test');
});
afterAll(() => service.stop());

const check = (email: string) => service.check(email, { headers: { authorization: `Bearer ${testKey}` } });
const scenario = (words: string) => check(`${words}@${SANDBOX_DOMAIN}`);

describe('a test key', () => {
  it('is answered like a live one, marked as a test, without a network packet', async () => {
    const { status, headers, json } = await check('jane@nowhere.example');
    expect(status).toBe(200);
    expect(headers['postern-environment']).toBe('test');
    expect(headers).not.toHaveProperty('postern-degraded');
    expect(json.signals.domain).toMatchObject({ has_mx: true, is_catch_all: false });
    expect(json.summary.action).toBe('ALLOW');
    expect(service.dns.queries).toEqual([]);
  });

  it('uses local signals as for any address', async () => {
    const { json } = await check('admin@mailinator.com');
    expect(json.signals.domain).toMatchObject({ is_known_disposable: true, is_role_account: true });
    expect(json.summary.action).toBe('BLOCK');
  });

  it('gives local signals that wait for a look-up the result of the sandbox', async () => {
    const recordOf = async (email: string) => {
      const { json } = await check(email);
      const [row] = await service.rows('SELECT facts, unknown FROM checks WHERE id = ?', json.id);
      return { facts: JSON.parse(`${row?.facts}`), unknown: JSON.parse(`${row?.unknown}`) };
    };
    const found = await recordOf('jane.doe@firm.example');
    expect(found.facts).toMatchObject({ 'mx.provider': 'other', 'owner_cluster.basis': 'canonical' });
    const failed = await recordOf(`unknown_mx@${SANDBOX_DOMAIN}`);
    expect(failed.unknown).toMatchObject({ 'mx.provider': 'timeout', 'owner_cluster.basis': 'not_run' });
  });

  it('a live key has no effect of the sandbox', async () => {
    const { headers, json } = await service.check(`allow@${SANDBOX_DOMAIN}`);
    expect(headers).not.toHaveProperty('postern-environment');
    expect(json.summary.action).toBe('BLOCK');
    expect(json.signals.domain.has_mx).toBe(false);
  });
});

describe(`scenarios at ${SANDBOX_DOMAIN}`, () => {
  const SIGNALS: Record<string, Record<string, object>> = {
    clean: {},
    disposable: { domain: { is_known_disposable: true } },
    free: { domain: { is_known_free_provider: true } },
    role: { domain: { is_role_account: true } },
    suspicious: { entropy: { suspicious: true } },
    unclean: { syntax: { valid_format: false } },
    no_mx: { domain: { has_mx: false } },
    catch_all: { domain: { is_catch_all: true } },
    tld_medium: { domain: { tld_risk_level: 'medium' } },
    tld_high: { domain: { tld_risk_level: 'high' } },
    unknown_mx: { domain: { has_mx: false } },
    unknown_catch_all: { domain: { is_catch_all: false } },
  };
  const DEGRADED: Record<string, string> = { unknown_mx: 'mx', unknown_catch_all: 'catch_all' };
  const ordinary = {
    syntax: { valid_format: true },
    entropy: { suspicious: false },
    domain: {
      is_known_disposable: false,
      is_known_free_provider: false,
      has_mx: true,
      is_catch_all: false,
      is_role_account: false,
      tld_risk_level: 'low',
    },
  };

  it('has every documented scenario', () => {
    expect(Object.keys(SIGNALS)).toEqual(Object.keys(SCENARIOS));
  });

  it.each(Object.keys(SCENARIOS))('%s sets that fact and no other', async (word) => {
    const { status, headers, json } = await scenario(`${word}+tag`);
    expect(status).toBe(200);
    expect(headers['postern-degraded']).toBe(DEGRADED[word]);
    const expected = Object.fromEntries(
      Object.entries(ordinary).map(([group, facts]) => [
        group,
        { ...facts, ...SIGNALS[word as string]?.[group] },
      ]),
    );
    expect(json.signals).toMatchObject(expected);
  });

  it('combines words, and the rules in force decide', async () => {
    const one = await scenario('role');
    const three = await scenario('role.catch_all.tld_high');
    expect(three.json.signals.domain).toMatchObject({
      is_role_account: true,
      is_catch_all: true,
      tld_risk_level: 'high',
    });
    expect(three.json.summary.risk_score).toBeGreaterThan(one.json.summary.risk_score);
    expect((await scenario('disposable')).json.summary.action).toBe('BLOCK');
    expect((await scenario('clean')).json.summary).toEqual({
      action: 'ALLOW',
      risk_score: 0,
      risk_level: 'low',
    });
  });

  it.each(['constructor', '__proto__', 'clean.constructor'])(
    '%s is not a scenario, and not an error',
    async (words) => {
      const { status, json } = await scenario(words);
      expect(status).toBe(200);
      expect(json.summary.action).toBe('ALLOW');
    },
  );

  it.each(Object.entries(FORCED_ACTIONS))('%s@ is %s whatever the rules are', async (localPart, action) => {
    expect((await scenario(localPart)).json.summary.action).toBe(action);
  });

  it.each(Object.entries(REFUSALS))('%s@ is refused with %s', async (localPart, code) => {
    const answer = await scenario(localPart);
    expectRefusal(answer, code);
    // A used-up month lasts longer than a person waits for a form: docs/api.md.
    const retryAfter = { error_rate: '1', error_quota: '86400', error_503: '1' }[localPart];
    expect(answer.headers['retry-after']).toBe(retryAfter);
    // The headers of a real refusal by this limit.
    const limit = {
      error_rate: /^"key";r=0;t=1$/,
      error_quota: /^"key";r=\d+;t=\d+, "account";r=0;t=86400$/,
    };
    const { ratelimit, 'ratelimit-policy': policy } = answer.headers;
    expect(ratelimit).toMatch(new Map(Object.entries(limit)).get(localPart) ?? /^"key";r=[1-9]\d*;t=\d+$/);
    expect(policy).toBe('"key";q=600;w=60, "account";q=100000;w=2592000');
  });
});

describe('test scenarios of providers that are switched off', () => {
  it('have no effect, and no provider is degraded', async () => {
    const running = await startTestService({ providers: { enabled: ['syntax', 'mx'] } });
    try {
      const authorization = `Bearer ${await running.createKey('test')}`;
      for (const words of ['disposable', 'role.suspicious', 'unknown_catch_all']) {
        const { headers, json } = await running.check(`${words}@${SANDBOX_DOMAIN}`, {
          headers: { authorization },
        });
        expect(json.summary, words).toEqual({ action: 'ALLOW', risk_score: 0, risk_level: 'low' });
        expect(json.signals.domain).toMatchObject({ is_known_disposable: false, is_role_account: false });
        expect(headers).not.toHaveProperty('postern-degraded');
      }
      const { headers } = await running.check(`unknown_mx@${SANDBOX_DOMAIN}`, { headers: { authorization } });
      expect(headers['postern-degraded']).toBe('mx');
    } finally {
      await running.stop();
    }
  });
});
