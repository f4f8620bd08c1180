import { expect, it } from 'vitest';
import { ApiError, refusalOf, UNREACHABLE } from '../../dashboard/src/api/api-error.ts';
import { describeError } from '../../dashboard/src/ui/error-text.ts';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
});

it('an envelope becomes an error with its code, message, request id and details', () => {
  const details = [{ fault: 'too_short', message: 'At least 12 characters.' }];
  const error = refusalOf(answer(422), {
    error: { code: 'weak_password', message: 'No.', request_id: 'req_1', details },
  });
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 422,
    code: 'weak_password',
    message: 'No.',
    requestId: 'req_1',
    details,
  });
});

it.each([
  ['text', 'Bad Gateway'],
  ['nothing', undefined],
  ['null', null],
  ['another object', { error: 'x' }],
  ['an envelope without a message', { error: { code: 'x' } }],
])('%s in place of an envelope is reported as not an answer of Postern', (_, body) => {
  const error = refusalOf(answer(502, { 'request-id': 'req_9' }), body);
  expect(error).toMatchObject({ code: 'unreadable_answer', requestId: 'req_9', details: [] });
  expect(error.message).toContain('502');
});

it.each([
  [0, true],
  [400, false],
  [401, false],
  [404, false],
  [429, true],
  [503, true],
])('status %i is retried: %s', (status, expected) => {
  expect(new ApiError({ status, code: 'x', message: 'x' }).isRetryable).toBe(expected);
});

it('the message names the time to wait', () => {
  const error = refusalOf(answer(429, { 'retry-after': '30' }), {
    error: { code: 'rate_limited', message: 'Too many.', request_id: 'req_1' },
  });
  expect(describeError(error)).toMatchObject({
    message: 'Too many.',
    advice: 'Try again in 30 seconds.',
    code: 'rate_limited',
    requestId: 'req_1',
  });
});

it('the message names the details of the error', () => {
  const details = [
    { path: 'body/name', message: 'is missing' },
    { path: 'query/since', message: 'must be before until' },
    { path: 'body/password', message: 'Too easy.' },
    { fault: 1 },
    { fault: 'a.yaml:1:3 test "seen" failed' },
  ];
  const error = new ApiError({ status: 400, code: 'x', message: 'No.', details });
  expect(describeError(error).details).toEqual([
    ...['name is missing', 'since must be before until', 'Too easy.', 'a.yaml:1:3 test "seen" failed'],
  ]);
});

it('a request that is not taken is told by its details, and by its message where it has none', () => {
  const refused = { status: 400, code: 'invalid_request', message: 'what begins with acc_ is an id' };
  expect(describeError(new ApiError(refused))).toMatchObject({ message: refused.message, details: [] });
  const details = [{ path: 'query/since', message: 'A time of at most 400 days can be looked at.' }];
  expect(describeError(new ApiError({ ...refused, details }))).toMatchObject({
    message: 'Postern did not take this:',
    details: ['A time of at most 400 days can be looked at.'],
  });
});

it('the messages for no answer, for a part that could not be loaded and for a bug differ', () => {
  expect(describeError(new ApiError(UNREACHABLE)).title).toBe('No answer');
  const lost = new TypeError('Failed to fetch dynamically imported module: https://x/assets/a.js');
  expect(describeError(lost).title).toBe('A part of this page is missing');
  // As thrown by Vite.
  const unstyled = new Error('Unable to preload CSS for /assets/a.css');
  expect(describeError(unstyled).title).toBe('A part of this page is missing');
  expect(describeError(new Error('x is undefined'))).toMatchObject({ title: 'This page failed', code: null });
});
