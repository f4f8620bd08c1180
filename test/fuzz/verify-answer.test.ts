import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import type { Answer } from './answer-reader.ts';
import { verifyAnswer } from './verify-answer.ts';

const COMMON = [
  ['date', 'today'],
  ['connection', 'keep-alive'],
  ['content-type', 'application/json'],
  ['request-id', 'r-1'],
] as const;

const refusal = {
  version: '1.1',
  status: 400,
  headers: COMMON,
  body: { error: { code: 'invalid_json', message: ERRORS.invalid_json.message, request_id: 'r-1' } },
};
const success = {
  version: '1.1',
  status: 200,
  headers: [...COMMON, ['postern-ruleset', '0123456789abcdef']] as const,
  body: {
    id: 'chk_01M7WFVXVBTYV3AWEE6M1PQMHT',
    created_at: '2026-11-20T12:45:55.947Z',
    summary: { action: 'ALLOW', risk_score: 25, risk_level: 'low' },
    normalized: {
      raw: 'a@example.com',
      canonical: 'a@example.com',
      local_part: 'a',
      domain: 'example.com',
      subaddress: null,
      has_dots_removed: false,
    },
    signals: {
      syntax: { valid_format: true },
      entropy: { score: 0, suspicious: false },
      domain: {
        is_known_disposable: false,
        is_known_free_provider: false,
        has_mx: true,
        is_catch_all: false,
        is_role_account: false,
        tld_risk_level: 'low',
      },
    },
  },
};

const asAnswer = ({ body, ...rest }: Omit<Answer, 'body'> & { body: unknown }): Answer => ({
  ...rest,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const without = (name: string) => refusal.headers.filter(([header]) => header !== name);
const error = (changed: Record<string, unknown>) => ({ error: { ...refusal.body.error, ...changed } });

const page = {
  version: '1.1',
  status: 200,
  headers: [
    ...without('content-type'),
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', "default-src 'none'"],
  ] as const,
  body: '<!doctype html><title>Postern</title>',
};

describe('verifyAnswer', () => {
  it('accepts the dashboard’s page, and reports faults in a changed one', () => {
    expect(verifyAnswer(asAnswer(page), {})).toEqual([]);
    expect(verifyAnswer(asAnswer({ ...page, body: '' }), { isHead: true })).toEqual([]);
    for (const changed of [
      { body: 'Not Found' },
      { status: 404 },
      { headers: page.headers.filter(([name]) => name !== 'content-security-policy') },
    ]) {
      expect(verifyAnswer(asAnswer({ ...page, ...changed }), {})).not.toEqual([]);
    }
  });

  it('accepts a correct refusal and a correct check', () => {
    expect(verifyAnswer(asAnswer(refusal), { codes: ['invalid_json'], requestId: 'r-1' })).toEqual([]);
    expect(verifyAnswer(asAnswer(success), { codes: ['ok'], email: 'a@example.com' })).toEqual([]);
  });

  it.each([
    [
      'a 500',
      { status: 500, body: error({ code: 'internal_error', message: ERRORS.internal_error.message }) },
    ],
    ['a body that is no envelope', { body: 'Bad Request' }],
    ['a member beside the envelope', { body: { ...refusal.body, more: 1 } }],
    ['a member more in the envelope', { body: error({ stack: 'at …' }) }],
    ['a code that is not in the table', { body: error({ code: 'oops' }) }],
    ['a code of another status', { body: error({ code: 'not_found', message: ERRORS.not_found.message }) }],
    ['a message of its own', { body: error({ message: 'Unexpected token' }) }],
    ['another request id in the body', { body: error({ request_id: 'r-2' }) }],
    ['details of another form', { body: error({ details: [{ secret: 1 }] }) }],
    [
      'another content type',
      { headers: [...without('content-type'), ['content-type', 'text/html']] as const },
    ],
    ['no request id', { headers: without('request-id') }],
    [
      'a header that opens keys to browsers',
      { headers: [...COMMON, ['access-control-allow-origin', '*']] as const },
    ],
    [
      '429 without Retry-After',
      { status: 429, body: error({ code: 'rate_limited', message: ERRORS.rate_limited.message }) },
    ],
  ])('reports %s', (_, changed) => {
    expect(verifyAnswer(asAnswer({ ...refusal, ...changed }), {})).not.toEqual([]);
  });

  it.each([
    ['a member more', { ...success.body, debug: true }],
    ['a score beyond 100', { ...success.body, summary: { ...success.body.summary, risk_score: 101 } }],
    ['half an answer', JSON.stringify(success.body).slice(0, -1)],
    [
      'another address',
      { ...success.body, normalized: { ...success.body.normalized, raw: 'b@example.com' } },
    ],
  ])('reports %s in a check', (_, body) => {
    expect(verifyAnswer(asAnswer({ ...success, body }), { email: 'a@example.com' })).not.toEqual([]);
  });

  it('reports a code or a request id that this case cannot have', () => {
    expect(verifyAnswer(asAnswer(refusal), { codes: ['ok'] })).not.toEqual([]);
    expect(verifyAnswer(asAnswer(refusal), { requestId: 'r-2' })).not.toEqual([]);
  });
});
