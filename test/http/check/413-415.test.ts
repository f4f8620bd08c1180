import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonType } from '../../../src/http/middleware/read-json.ts';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ http: { body_limit_bytes: 1024 } });
});
afterAll(() => service.stop());

const bodyOf = (octets: number) => {
  const frame = '{"email":"jane@example.com","pad":""}';
  return frame.replace('""}', `"${'x'.repeat(octets - frame.length)}"}`);
};

describe('413 body_too_large', () => {
  it('by Content-Length, before a byte of the body is sent', async () => {
    const answer = await service.check('', { headers: { 'content-length': '1025' }, body: bodyOf(1025) });
    expectRefusal(answer, 'body_too_large');
  });

  it('while it is read, when no length was announced', async () => {
    const answer = await service.check('', {
      headers: { 'transfer-encoding': 'chunked' },
      body: bodyOf(1025),
    });
    expectRefusal(answer, 'body_too_large');
  });

  it('not at exactly the limit', async () => {
    expect((await service.check('', { body: bodyOf(1024) })).status).toBe(200);
  });
});

describe('415 unsupported_media_type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-8',
    'application/json; profile=x',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('for %s', async (type) => {
    expectRefusal(
      await service.check('jane@example.com', { headers: { 'content-type': type } }),
      'unsupported_media_type',
    );
  });

  it('for a header full of blanks, in linear time', () => {
    // Quadratic work on this length takes minutes and fails by the test's own time-out.
    const blanks = ' '.repeat(400_000);
    expect(isJsonType(`application/json${blanks}x`)).toBe(false);
    expect(isJsonType(`application/json;${blanks}charset=utf-8${blanks}x`)).toBe(false);
    expect(isJsonType(`application/json;${blanks}`)).toBe(true);
  });

  it('without a media type', async () => {
    const answer = await service.send({
      method: 'POST',
      path: '/v1/',
      headers: { authorization: `Bearer ${service.key}` },
      body: '{"email":"jane@example.com"}',
    });
    expectRefusal(answer, 'unsupported_media_type');
  });

  it('for a transfer coding that is not chunked alone', async () => {
    const headers = { 'transfer-encoding': 'gzip, chunked' };
    expectRefusal(await service.check('jane@example.com', { headers }), 'unsupported_media_type');
    const chunked = await service.check('jane@example.com', { headers: { 'transfer-encoding': 'Chunked' } });
    expect(chunked.status).toBe(200);
  });

  it.each(['gzip', 'identity'])('for Content-Encoding %s', async (encoding) => {
    const answer = await service.check('jane@example.com', { headers: { 'content-encoding': encoding } });
    expectRefusal(answer, 'unsupported_media_type');
  });
});
