import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('400 invalid_json', () => {
  it.each([
    ['an empty body', ''],
    ['a byte order mark alone', '\u{feff}'],
    ['broken JSON', '{"email": '],
    ['text', 'jane@example.com'],
    ['an array', '["jane@example.com"]'],
    ['a string', '"jane@example.com"'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from([...Buffer.from('{"email":"a'), 0xff, ...Buffer.from('@example.com"}')])],
    [
      'an overlong encoding',
      Buffer.from([...Buffer.from('{"email":"a'), 0xc0, 0x80, ...Buffer.from('@example.com"}')]),
    ],
  ])('for %s', async (_what, body) => {
    expectRefusal(await service.check('', { body }), 'invalid_json');
  });
});

describe('400 missing_email', () => {
  it.each([
    ['no member', '{}'],
    ['null', '{"email":null}'],
    ['a number', '{"email":42}'],
    ['an array', '{"email":["jane@example.com"]}'],
    ['an inherited name', '{"__proto__":{"email":"jane@example.com"}}'],
  ])('for %s', async (_what, body) => {
    expectRefusal(await service.check('', { body }), 'missing_email');
  });
});

describe('400 bad_request', () => {
  it('for what is not HTTP, in the envelope, and the connection is closed', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: service.httpsPort, host: 'localhost', rejectUnauthorized: false }, () =>
        socket.write('NOT HTTP AT ALL\r\n\r\n'),
      );
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('end', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ error: { code: 'bad_request' } });
  });
});
