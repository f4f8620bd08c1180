import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashPassword, makeSignature } from 'better-auth/crypto';
import {
  type AccountRole,
  type OperatorRole,
  type Person,
  SESSION_COOKIE,
} from '../../src/accounts/person.ts';
import { once } from '../../src/lib/concurrency.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Clock } from '../../src/provider-kit/index.ts';
import { startTestService, type TestService } from './service.ts';
import type { Answer, SendOptions } from './transmit.ts';

export const PASSWORD = 'four walnut canoes adrift';
/** Hashing takes a tenth of a second, by design: all people share one hash. */
const passwordHash = once(() => hashPassword(PASSWORD));

/** A role as an operator, or roles as a member of accounts, by account id. */
export type Role = OperatorRole | Readonly<Record<string, AccountRole>>;

/** A browser with a signed-in person, or an anonymous one. */
export interface Visitor {
  readonly person: Pick<Person, 'id' | 'email'> | null;
  /** The `Cookie` header. */
  readonly cookie: string;
  /** A request to `/dashboard/api` as the dashboard makes it; `body` becomes JSON. */
  ask(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** A whole service, and people who are signed in to it. */
export interface TestDashboard {
  readonly service: TestService;
  /** `acc_…` of the account that the first start makes. */
  readonly accountId: string;
  readonly anonymous: Visitor;
  /** A new person with this role. The session is written to the database directly; signing in has its own tests. */
  signIn(role: Role): Promise<Visitor>;
  /** A visitor who sends this `Cookie` header. */
  visitor(cookie: string, person?: Visitor['person']): Visitor;
  /** Makes another account; resolves to its id. */
  createAccount(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startDashboard(
  settings: Record<string, unknown> = {},
  options: { readonly clock?: Clock } = {},
): Promise<TestDashboard> {
  const service = await startTestService(settings, options);
  const [account] = await service.manageKeys((keys) => keys.listAccounts());
  let made = 0;

  const visitor = (cookie: string, person: Visitor['person'] = null): Visitor => {
    const ask: Visitor['ask'] = (method, path, body, { headers, ...options } = {}) =>
      service.send({
        ...{ method, path: `/dashboard/api${path}`, ...options },
        headers: {
          ...(cookie !== '' && { cookie }),
          ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    return { person, cookie, ask, get: (path) => ask('GET', path) };
  };
  const anonymous = visitor('');

  return {
    service,
    accountId: account?.id ?? '',
    anonymous,
    visitor,
    async signIn(role) {
      made += 1;
      const person = {
        ...{ id: `per_${made}`, email: `person-${made}@firm.example`, name: `Person ${made}` },
        operatorRole: typeof role === 'string' ? role : null,
        memberships:
          typeof role === 'string'
            ? []
            : Object.entries(role).map(([accountId, held]) => ({ accountId, role: held })),
        createdAt: new Date(made).toISOString(),
      };
      await addPerson(service, person, await passwordHash());
      return visitor(await beginSession(service, person), person);
    },
    createAccount: (name) => service.manageKeys(async (keys) => (await keys.createAccount(name)).id),
    stop: () => service.stop(),
  };
}

/** The `Cookie` header with which a browser would return an answer's cookies. */
export function cookieOf(answer: Answer): string {
  return (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

/** Writes a session as better-auth stores it, and returns its `Cookie` header. Skips the password, which is slow to check. */
async function beginSession(service: TestService, { id }: Person): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const [now, end] = [0, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
  await service.write(
    'INSERT INTO sessions (id, person_id, token, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[`ses_${id}`, id, token, end, now, now],
  );
  const signature = await makeSignature(token, await secretOf(service));
  return `${SESSION_COOKIE}=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** The secret that signs the session cookies: a file beside SQLite, a row in PostgreSQL. */
async function secretOf({ dataDir, rows }: TestService): Promise<string> {
  const file = join(dataDir, 'secrets/session.key');
  if (existsSync(file)) return readFileSync(file).toString('base64');
  const [made] = await rows("SELECT value FROM service_state WHERE name = 'session_secret'");
  return `${made?.value}`;
}

async function addPerson(service: TestService, person: Person, passwordHash: string): Promise<void> {
  await service.withStorage(async ({ peopleStorage: { links } }) => {
    const { id, email, createdAt: at } = person;
    const link = {
      ...({ id: `lnk_${id}`, purpose: 'invitation', email, personId: null, operatorRole: null } as const),
      ...{ membership: null, createdBy: null, createdAt: at, expiresAt: '9999-12-31T00:00:00.000Z' },
    };
    const entry = { at, personId: null, person: 'test', subject: id, accountId: null, detail: {} };
    await links.create(
      { ...link, hash: Buffer.from(id) },
      { ...entry, id: `act_${id}_link`, action: 'link.made' },
    );
    await links.join(
      link,
      { ...person, passwordHash },
      { ...entry, id: `act_${id}`, action: 'person.joined' },
    );
  });
}
