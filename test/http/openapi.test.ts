import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../../openapi/describe-api.ts';
import { readVersion } from '../../src/lib/paths.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { Answer, SendOptions } from '../support/transmit.ts';

const TOKEN = 'a-token-for-the-tests-of-openapi';
const document = describeApi(readVersion());
// Not strict: the document around the schemas has members that are not of JSON Schema.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...document }, undefined, false, false);

/** The validator of the schema at this place of the document. */
function validatorAt(...path: readonly string[]): ValidateFunction {
  const pointer = path.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  const found = ajv.getSchema(`openapi#/${pointer.join('/')}`);
  if (!found) throw new Error(`there is nothing at ${pointer.join('/')}`);
  return found;
}

interface Response {
  readonly $ref?: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Checks an answer against the response that the document has for its status: media type, body, headers. */
function expectAsDescribed(answer: Answer, path: string, method: 'get' | 'post'): void {
  const operation = (
    document.paths as Record<string, Record<string, { responses: Record<string, Response> }>>
  )[path];
  const written = operation?.[method]?.responses[answer.status];
  if (!written) throw new Error(`${method} ${path} has no response ${answer.status}`);
  const name = written.$ref?.split('/').at(-1);
  const at =
    name === undefined
      ? ['paths', path, method, 'responses', String(answer.status)]
      : ['components', 'responses', name];
  const response =
    name === undefined
      ? written
      : ((document.components.responses as Record<string, unknown>)[name] as Response);

  const [type = ''] = Object.keys(response.content);
  expect(answer.headers['content-type']).toBe(type);
  const isValid = validatorAt(...at, 'content', type, 'schema');
  expect(isValid(answer.json ?? answer.text), JSON.stringify([answer.text, isValid.errors])).toBe(true);
  const told = Object.keys(document.components.headers).filter(
    (name) => name.toLowerCase() in answer.headers,
  );
  expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(told));
  for (const header of Object.keys(response.headers)) {
    const { required } = document.components.headers[header as keyof typeof document.components.headers];
    const value = answer.headers[header.toLowerCase()];
    if (value === undefined && !required) continue;
    const fits = validatorAt('components', 'headers', header, 'schema');
    expect(fits(value), `${header}: ${value}`).toBe(true);
  }
}

describe('answers of the service', () => {
  let service: TestService;
  let test: SendOptions;
  beforeAll(async () => {
    service = await startTestService({
      metrics: { token: TOKEN },
      rate_limit: { requests: 60 },
      quota: { checks_per_month: 20 },
    });
    test = { headers: { authorization: `Bearer ${await service.createKey('test')}` } };
  });
  afterAll(() => service.stop());

  it('GET /openapi.json is the description, without a key', async () => {
    const answer = await service.send({ path: '/openapi.json' });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
    expectAsDescribed(answer, '/openapi.json', 'get');
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(document)));
    const refused = await service.send({ method: 'DELETE', path: '/openapi.json' });
    expectAsDescribed(refused, '/openapi.json', 'get');
  });

  it.each([
    [200, 'jane.doe@example.com', {}],
    [200, '"jane doe"@example.com', {}],
    [400, 7, {}],
    [400, '', { body: '[]' }],
    [401, 'jane@example.com', { headers: { authorization: 'Bearer x' } }],
    [401, 'jane@example.com', { headers: { authorization: '' } }],
    [405, 'jane@example.com', { method: 'PUT' }],
    [413, '', { body: `{"email":"${'x'.repeat(20_000)}"}` }],
    [415, 'jane@example.com', { headers: { 'content-type': 'text/plain' } }],
    [422, 'jane', {}],
    [431, 'jane@example.com', { headers: { 'x-long': 'x'.repeat(20_000) } }],
  ])('POST /v1/ answers %i as described to %j', async (status, email, options) => {
    const answer = await service.check(email, options);
    expect(answer.status).toBe(status);
    expectAsDescribed(answer, '/v1/', 'post');
  });

  it.each([
    ['error_rate', 429],
    ['error_quota', 429],
    ['error_500', 500],
    ['error_503', 503],
    ['unknown_mx', 200],
  ])('POST /v1/ answers %s@postern.test as described', async (localPart, status) => {
    const answer = await service.check(`${localPart}@postern.test`, test);
    expect(answer.status).toBe(status);
    expectAsDescribed(answer, '/v1/', 'post');
  });

  it('the operator’s paths answer as described', async () => {
    const authorization = `Bearer ${TOKEN}`;
    for (const [path, headers, status] of [
      ['/healthz', {}, 200],
      ['/readyz', {}, 200],
      ['/readyz', { authorization }, 200],
      ['/metrics', { authorization }, 200],
      ['/metrics', {}, 401],
      ['/metrics', { authorization: 'Bearer wrong' }, 401],
    ] as const) {
      const answer = await service.send({ path, headers });
      expect(answer.status, path).toBe(status);
      expectAsDescribed(answer, path, 'get');
    }
  });

  it('a body that the request schema accepts is read, and any other is 400', async () => {
    const takes = validatorAt('components', 'schemas', 'check_request');
    const bodies = [
      { email: 'jane@example.com' },
      { email: '', more: 1 },
      {},
      { email: null },
      { email: ['a'] },
      [],
      'x',
      1,
    ];
    for (const body of bodies) {
      const { status } = await service.check('', { body: JSON.stringify(body) });
      expect([200, 422].includes(status), JSON.stringify(body)).toBe(takes(body));
      expect(takes(body) || status === 400, JSON.stringify(body)).toBe(true);
    }
  });
});
