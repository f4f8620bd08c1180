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

it('what was asked for early is taken over, once', async () => {
  early(Promise.resolve(new Response('early')));
  expect(await ask()).toBe('early');
  expect(await ask()).toBe('asked now');
});

it('after a request that changes something nothing is taken over', async () => {
  early(Promise.resolve(new Response('early')));
  expect(await ask('POST')).toBe('asked now');
  expect(await ask()).toBe('asked now');
});

it('what failed early is asked for again', async () => {
  const failed = Promise.reject(new Error('no connection'));
  failed.catch(() => undefined);
  early(failed);
  expect(await ask()).toBe('asked now');
});
