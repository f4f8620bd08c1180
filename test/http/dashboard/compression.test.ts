import { once } from 'node:events';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/http/dashboard/dashboard-api.ts';
import { areaOf } from '../../../src/http/dashboard/endpoint.ts';
import { closed, TEXT } from '../../../src/http/json-types.ts';
import type { JsonSchema } from '../../../src/provider-kit/index.ts';
import { listenForArea } from './serve-area.ts';

class Library {
  text = 'again and again, '.repeat(6_000);
  file: () => Readable = () => Readable.from(['title\n', 'one\n'.repeat(5_000)]);
}
const { define, area } = areaOf('library', 'For this test.', { library: Library }, 'signed_in');
const answer = { description: 'A text.', schema: closed({ text: TEXT }) };

const LIBRARY = area({
  read: define('GET /text', {
    summary: 'Read it.',
    answer,
    handle: ({ library: { text } }) => ({ text }),
  }),
  read_secret: define('POST /secret', {
    summary: 'Read it, though it is secret.',
    answer: { ...answer, isSecret: true },
    handle: ({ library: { text } }) => ({ text }),
  }),
  follow: define('GET /lines', {
    summary: 'Read it as it comes.',
    answer: { description: 'A line each.', lines: closed({ text: TEXT }) },
    handle: async function* ({ library: { text } }) {
      yield { text };
    },
  }),
  save: define('GET /text.csv', {
    summary: 'As a file.',
    answer: { description: 'A row each.', mediaType: 'text/csv; charset=utf-8' },
    handle: ({ library }) => library.file(),
  }),
});

async function aLibrary(part: Partial<Library> = {}) {
  const { urlOf, headersOf } = await listenForArea(LIBRARY, { library: Object.assign(new Library(), part) });
  const begin = (path: string, accepted = 'gzip', method = 'GET') =>
    fetch(urlOf(path), { method, headers: { ...headersOf('viewer'), 'accept-encoding': accepted } });
  const ask = async (path: string, accepted?: string, method?: string) => {
    const answer = await begin(path, accepted, method);
    const header = (name: string) => answer.headers.get(name);
    return { status: answer.status, text: await answer.text(), header };
  };
  return { begin, ask };
}

describe('an answer of a kilobyte or more', () => {
  const TEXT_SENT = JSON.stringify({ text: new Library().text });

  it.each([
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', null],
    ['br', null],
    ['identity', null],
    ['', null],
  ])('is compressed for a client that accepts %j: %s', async (accepted, coding) => {
    const { ask } = await aLibrary();
    const told = await ask('/text', accepted);
    expect([told.status, told.text]).toEqual([200, TEXT_SENT]);
    expect(told.header('content-encoding')).toBe(coding);
    expect(told.header('vary')).toBe('Accept-Encoding');
    expect(told.header('content-type')).toBe('application/json');
    expect(told.header('cache-control')).toBe('no-store');
    const sent = coding === null ? TEXT_SENT : gzipSync(TEXT_SENT);
    expect(told.header('content-length')).toBe(String(sent.length));
  });

  it('keeps the connection open where the uncompressed answer would close it', async () => {
    const { ask } = await aLibrary();
    expect((await ask('/text', 'identity')).header('connection')).toBe('close');
    expect((await ask('/text')).header('connection')).toBe('keep-alive');
  });

  it('has the same headers for HEAD', async () => {
    const { ask } = await aLibrary();
    const head = await ask('/text', 'gzip', 'HEAD');
    expect([head.status, head.text, head.header('content-encoding')]).toEqual([200, '', 'gzip']);
    expect(head.header('content-length')).toBe(String(gzipSync(TEXT_SENT).length));
  });

  it('is sent uncompressed where its lines are streamed', async () => {
    const { ask } = await aLibrary();
    const lines = await ask('/lines');
    expect([lines.header('content-encoding'), lines.text]).toEqual([null, `${TEXT_SENT}\n`]);
  });

  it('may be the description of the API', async () => {
    const { ask } = await aLibrary();
    const description = await ask('/openapi.json');
    expect(description.header('content-encoding')).toBe('gzip');
    expect(description.header('cache-control')).toBe('public, max-age=3600');
    expect(JSON.parse(description.text).openapi).toMatch(/^3\./);
    expect((await ask('/openapi.json', 'identity')).text).toBe(description.text);
  });
});

it('a shorter answer, and a refusal, is sent uncompressed', async () => {
  const frame = JSON.stringify({ text: '' }).length;
  const { ask } = await aLibrary({ text: 'x'.repeat(1_023 - frame) });
  const short = await ask('/text');
  expect(short.header('content-length')).toBe('1023');
  expect([short.header('content-encoding'), short.header('vary')]).toEqual([null, null]);
  const enough = await aLibrary({ text: 'x'.repeat(1_024 - frame) });
  expect((await enough.ask('/text')).header('content-encoding')).toBe('gzip');
  const refused = await ask('/text?more=1');
  expect([refused.status, refused.header('content-encoding')]).toEqual([400, null]);
});

describe('an answer that contains a secret', () => {
  it('is never compressed', async () => {
    const { ask } = await aLibrary();
    const told = await ask('/secret', 'gzip', 'POST');
    expect([told.status, told.header('content-encoding')]).toEqual([200, null]);
    expect(JSON.parse(told.text)).toEqual({ text: new Library().text });
  });

  const endpoints = AREAS.flatMap((one) => one.endpoints);
  const secret = endpoints.filter(({ answer: { isSecret } }) => isSecret);

  it('is declared by each endpoint that makes a key or a link, or starts a session', () => {
    const names = secret.map(({ operationId }) => operationId);
    expect(names).toEqual([
      ...['sign_in', 'redeem_link', 'issue_key', 'rotate_key'],
      ...['make_password_link', 'invite'],
    ]);
  });

  it('is recognized by the descriptions of values that are shown once', () => {
    const showsOnce = endpoints.filter(({ answer: { schema } }) =>
      descriptionsIn(schema).some((text) => text.startsWith('Shown this once')),
    );
    expect(showsOnce.length).toBe(4);
    for (const { operationId, answer: told } of showsOnce) expect(told.isSecret, operationId).toBe(true);
  });
});

function descriptionsIn(schema: JsonSchema | undefined): readonly string[] {
  const found: string[] = [];
  JSON.stringify(schema, (name, value: unknown) => {
    if (name === 'description' && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

describe('a file', () => {
  it('is compressed while it is written', async () => {
    const { ask } = await aLibrary();
    const file = await ask('/text.csv');
    expect(file.header('content-encoding')).toBe('gzip');
    expect(file.header('vary')).toBe('Accept-Encoding');
    expect(file.header('content-type')).toBe('text/csv; charset=utf-8');
    const plain = await ask('/text.csv', 'identity');
    expect([plain.header('content-encoding'), plain.header('vary')]).toEqual([null, 'Accept-Encoding']);
    expect([file.text, plain.text]).toEqual(Array(2).fill(`title\n${'one\n'.repeat(5_000)}`));
  });

  it('is sent as far as it is written, and cut short where writing fails', async () => {
    let fail: ((error: Error) => void) | undefined;
    async function* failing() {
      yield 'title\n';
      await new Promise((_, reject) => {
        fail = reject;
      });
    }
    const { begin } = await aLibrary({ file: () => Readable.from(failing()) });
    const file = await begin('/text.csv');
    const reader = file.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'title\n' });
    fail?.(new Error('the disk is gone'));
    await expect(reader?.read()).rejects.toThrow('terminated');
  });

  it('that the client stops reading is not written further', async () => {
    let made: Readable | undefined;
    async function* endless() {
      for (;;) yield 'again\n'.repeat(1_000);
    }
    const { ask } = await aLibrary({ file: () => (made = Readable.from(endless())) });
    // HEAD needs no body.
    const head = await ask('/text.csv', 'gzip', 'HEAD');
    expect([head.status, head.header('content-encoding')]).toEqual([200, 'gzip']);
    if (made?.closed === false) await once(made, 'close');
    expect(made?.destroyed).toBe(true);
  });
});
