import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDashboardApi } from '../../../openapi/describe-dashboard-api.ts';
import type { Person, Sessions } from '../../../src/accounts/person.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import { dashboardApi } from '../../../src/http/dashboard/dashboard-api.ts';
import { areaOf } from '../../../src/http/dashboard/endpoint.ts';
import { closed, INSTANT, listOf, record, TEXT } from '../../../src/http/json-types.ts';
import { createKoaApp } from '../../../src/http/koa-app.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import type { AccountStore } from '../../../src/storage/ports.ts';

/** The context of the handlers of this test. */
class Shelf {
  readonly books: { title: string; at: string }[] = [];
  failsNext = false;
}
const BOOK = record('book', { title: TEXT, at: INSTANT });
const NEEDS = { shelf: Shelf };
const { define, area } = areaOf('books', 'For this test.', NEEDS);

const BOOKS = area({
  list_books: define('GET /books', {
    summary: 'All books.',
    access: 'signed_in',
    query: {
      type: 'object',
      properties: { limit: { type: 'integer', minimum: 1, default: 2 } },
      additionalProperties: false,
    },
    answer: { description: 'Some.', schema: closed({ books: listOf(BOOK) }) },
    handle: ({ shelf: { books, failsNext } }, { query }) => ({
      // @ts-expect-error this value does not match the schema; the test sends it to see that the guard refuses it
      books: failsNext ? [{ name: 'no title' }] : books.slice(0, query.limit),
    }),
  }),

  add_book: define('POST /accounts/{account_id}/books', {
    summary: 'One more.',
    access: { account: 'developer' },
    body: closed({ title: { type: 'string', minLength: 1, maxLength: 20 } }),
    bodyLimitBytes: 200,
    answer: { status: 201, description: 'It stands.', schema: BOOK },
    handle: ({ shelf: { books } }, { body, person, params }) => {
      const book = {
        title: `${body.title} by ${person.name} in ${params.account_id}`,
        at: new Date(0).toISOString(),
      };
      books.push(book);
      return book;
    },
  }),

  burn_books: define('DELETE /books', {
    summary: 'None any more.',
    access: { operator: 'owner' },
    answer: { description: 'All gone.' },
    handle: ({ shelf: { books } }) => void books.splice(0),
  }),

  export_books: define('GET /books.csv', {
    summary: 'As a file.',
    access: { operator: 'analyst' },
    answer: { description: 'A row each.', mediaType: 'text/csv; charset=utf-8' },
    handle: (_services, { setHeader }) => {
      setHeader('Content-Disposition', 'attachment; filename="books.csv"');
      return Readable.from(['title\n', 'one\n']);
    },
  }),
});

const person = (id: string, part: Partial<Person>): Person => ({
  ...{ id, email: `${id}@example.com`, name: id, operatorRole: null, memberships: [], createdAt: '' },
  ...part,
});
const PEOPLE: readonly Person[] = [
  person('owner', { operatorRole: 'owner' }),
  person('analyst', { operatorRole: 'analyst' }),
  person('developer', { memberships: [{ accountId: 'acc_1', role: 'developer' }] }),
  person('viewer', { memberships: [{ accountId: 'acc_1', role: 'viewer' }] }),
  person('stranger', { memberships: [{ accountId: 'acc_2', role: 'developer' }] }),
];
const ACCOUNTS = ['acc_1', 'acc_2'];

const shelf = new Shelf();
let server: Server;
let base: string;
beforeAll(async () => {
  const api = dashboardApi({
    areas: [BOOKS],
    resolve: () => ({ shelf }),
    sessions: {
      ...({} as Sessions),
      identify: async (cookies) => {
        const found = PEOPLE.find(({ id }) => `as=${id}` === cookies);
        return found ? { person: found, setCookies: ['as=again'] } : null;
      },
    },
    accounts: {
      find: async (id: string) => (ACCOUNTS.includes(id) ? { id } : undefined),
    } as unknown as AccountStore,
    trustedProxies: [],
  });
  const koa = createKoaApp(createLogger('silent'), noMetrics, new Router(), [api]);
  server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

interface Ask {
  readonly as?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
async function ask(path: string, { as, method = 'GET', body, headers = {} }: Ask = {}) {
  const answer = await fetch(`http://${base}/dashboard/api${path}`, {
    method,
    headers: {
      ...(as && { cookie: `as=${as}` }),
      ...(method !== 'GET' && { origin: `https://${base}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : null,
  };
}
const codeOf = async (path: string, asked: Ask): Promise<ErrorCode> =>
  (await ask(path, asked)).json?.error.code;
const add = (title: unknown, asked: Ask = {}) => ({
  as: 'developer',
  method: 'POST',
  body: { title },
  ...asked,
});

describe('an endpoint', () => {
  it('returns what its schema describes, uncached, and extends the session', async () => {
    const made = await ask('/accounts/acc_1/books', add('Emma'));
    expect([made.status, made.json]).toEqual([
      201,
      { title: 'Emma by developer in acc_1', at: '1970-01-01T00:00:00.000Z' },
    ]);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.get('set-cookie')).toBe('as=again');
    expect(made.headers.get('content-type')).toBe('application/json');
    expect(made.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('reads numbers of the query and adds its defaults', async () => {
    for (const title of ['a', 'b', 'c']) await ask('/accounts/acc_1/books', add(title));
    expect((await ask('/books', { as: 'viewer' })).json.books).toHaveLength(2);
    expect((await ask('/books?limit=3', { as: 'viewer' })).json.books).toHaveLength(3);
  });

  it('answers 204 without a body, and may stream content that is not JSON', async () => {
    const gone = await ask('/books', { as: 'owner', method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    const file = await ask('/books.csv', { as: 'analyst' });
    expect([file.text, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'title\none\n',
      'text/csv; charset=utf-8',
      'attachment; filename="books.csv"',
    ]);
  });

  it('answers 500 to a result that its schema does not allow', async () => {
    shelf.failsNext = true;
    expect(await codeOf('/books', { as: 'viewer' })).toBe('internal_error');
    shelf.failsNext = false;
  });
});

describe('access', () => {
  it.each<[string, string, string | undefined, number]>([
    ['GET', '/books', undefined, 401],
    ['GET', '/books', 'stranger', 200],
    ['DELETE', '/books', 'owner', 204],
    ['DELETE', '/books', 'analyst', 403],
    ['DELETE', '/books', 'developer', 403],
    ['GET', '/books.csv', 'owner', 200],
    ['GET', '/books.csv', 'analyst', 200],
    ['GET', '/books.csv', 'viewer', 403],
    ['POST', '/accounts/acc_1/books', undefined, 401],
    ['POST', '/accounts/acc_1/books', 'owner', 201],
    ['POST', '/accounts/acc_1/books', 'developer', 201],
    ['POST', '/accounts/acc_1/books', 'analyst', 403],
    ['POST', '/accounts/acc_1/books', 'viewer', 403],
    ['POST', '/accounts/acc_1/books', 'stranger', 404],
    ['POST', '/accounts/acc_9/books', 'developer', 404],
    ['POST', '/accounts/acc_9/books', 'owner', 404],
  ])('%s %s as %s is %i', async (method, path, as, status) => {
    const body = method === 'POST' ? { title: 'x' } : undefined;
    expect((await ask(path, { method, ...(as && { as }), body })).status).toBe(status);
  });

  it('is checked before the body is read', async () => {
    expect(await codeOf('/accounts/acc_1/books', add(1, { as: 'viewer', body: 'not json' }))).toBe(
      'forbidden',
    );
  });
});

describe('a request that changes data', () => {
  it.each<[string, Record<string, string>, number]>([
    ['from this origin', {}, 201],
    ['from another origin', { origin: 'https://evil.example' }, 403],
    ['from this host over plain HTTP', { origin: 'http://HOST' }, 403],
    ['from nowhere', { origin: '' }, 403],
    [
      'that the browser calls its own, behind a proxy that changed the host',
      { 'sec-fetch-site': 'same-origin', origin: 'https://shown.example' },
      201,
    ],
    ['that the browser calls foreign', { 'sec-fetch-site': 'cross-site' }, 403],
    ['from a neighbour of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['typed by the person', { 'sec-fetch-site': 'none' }, 403],
  ])('%s', async (_what, headers, status) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', base)]),
    );
    const answer = await ask('/accounts/acc_1/books', add('x', { headers: sent }));
    expect([answer.status, answer.json.error?.code]).toEqual([
      status,
      status === 403 ? 'foreign_origin' : undefined,
    ]);
  });

  it.each<[ErrorCode, unknown, Record<string, string>]>([
    ['unsupported_media_type', { title: 'x' }, { 'content-type': 'text/plain' }],
    ['invalid_json', '[]', {}],
    ['body_too_large', { title: 'x'.repeat(300) }, {}],
    ['invalid_request', { title: '' }, {}],
  ])('is refused as %s', async (code, body, headers) => {
    expect(await codeOf('/accounts/acc_1/books', add('', { body, headers }))).toBe(code);
  });

  it('is answered with every fault of its body', async () => {
    const { json } = await ask('/accounts/acc_1/books', add('', { body: { tittle: 'x' } }));
    expect(json.error.details).toEqual([
      { path: 'body/title', message: 'is missing' },
      { path: 'body/tittle', message: 'is not known here' },
    ]);
    const asked = await ask('/books?limit=none&more=1', { as: 'viewer' });
    expect(asked.json.error.details).toEqual([
      { path: 'query/more', message: 'is not known here' },
      { path: 'query/limit', message: 'must be integer' },
    ]);
  });
});

it('an unknown path is 404, and another method 405 with the allowed methods', async () => {
  expect(await codeOf('/nowhere', {})).toBe('not_found');
  const refused = await ask('/books', { method: 'PUT' });
  expect([refused.json.error.code, refused.headers.get('allow')]).toEqual([
    'method_not_allowed',
    'GET, HEAD, DELETE',
  ]);
});

it('has the description of docs/dashboard-openapi.json, which is public', async () => {
  const { status, json } = await ask('/openapi.json');
  const written = readFileSync(join(packageRoot, 'docs/dashboard-openapi.json'), 'utf8');
  expect([status, json]).toEqual([200, JSON.parse(written)]);
});

it('a description contains what is declared', () => {
  const { paths, components } = JSON.parse(JSON.stringify(describeDashboardApi([BOOKS], '1.2.3')));
  expect(Object.keys(paths)).toEqual(
    ['/books', '/accounts/{account_id}/books', '/books.csv'].map((path) => `/dashboard/api${path}`),
  );
  expect(components.schemas.book.required).toEqual(['title', 'at']);
  expect(paths['/dashboard/api/books'].get.parameters[0]).toMatchObject({
    name: 'limit',
    in: 'query',
    required: false,
  });
});
