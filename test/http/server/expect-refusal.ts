import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../src/errors.ts';
import type { Answer } from './open-listeners.ts';

/** Status, envelope, content type, length, request id, and a closed connection. */
export function expectRefusal({ status, headers, body }: Answer, code: ErrorCode, requestId?: string): void {
  expect(status).toBe(ERRORS[code].status);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
  expect(headers.connection).toBe('close');
  expect(headers.date).toMatch(/GMT$/);
  expect(headers['request-id']).toMatch(requestId ? new RegExp(`^${requestId}$`) : /^req_/);
  expect(JSON.parse(body)).toEqual({
    error: { code, message: ERRORS[code].message, request_id: headers['request-id'] },
  });
}
