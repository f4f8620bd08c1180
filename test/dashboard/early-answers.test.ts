import { afterEach, expect, it, vi } from 'vitest';
import { fetchOrTakeOver } from '../../dashboard/src/api/early-answers.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.posternEarlyAnswers = undefined;
});

const URL_OF_SESSION = 'https://localhost/dashboard/api/session';
const ask = async (method = 'GET') => (await fetchOrTakeOver(new Request(URL_OF_SESSION, { method }))).text();
function early(answer: Promise<Response>) {
  vi.stubGlobal('fetch', async () => new Response('asked now'));
  globalThis.posternEarlyAnswers = new Map([['/dashboard/api/session', answer]]);
}

it('an answer that was requested early is used, once', async () => {
  early(Promise.resolve(new Response('early')));
  expect(await ask()).toBe('early');
  expect(await ask()).toBe('asked now');
});

it('no early answer is used after a request that changes something', async () => {
  early(Promise.resolve(new Response('early')));
  expect(await ask('POST')).toBe('asked now');
  expect(await ask()).toBe('asked now');
});

it('a request that failed early is repeated', async () => {
  const failed = Promise.reject(new Error('no connection'));
  failed.catch(() => undefined);
  early(failed);
  expect(await ask()).toBe('asked now');
});
