import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { logResponseFailure } from '../../src/http/response-failure.ts';

function logged(error: NodeJS.ErrnoException) {
  const lines = new PassThrough();
  const log = pino({ base: null, formatters: { level: (level) => ({ level }) } }, lines);
  logResponseFailure(log, error);
  return JSON.parse(String(lines.read()));
}

it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])(
  'a client that is gone (%s) is no error of the service',
  (code) => {
    expect(logged(Object.assign(new Error('write'), { code }))).toMatchObject({
      level: 'info',
      reason: code,
    });
  },
);

it('anything else that keeps an answer from its client is an error, with its stack', () => {
  expect(logged(new TypeError('broken'))).toMatchObject({
    level: 'error',
    err: { type: 'TypeError', stack: expect.stringContaining('response-failure.test.ts') },
  });
});
