import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import type { Dialect } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type BetterAuthOptions, BetterAuthSessions } from '../../src/accounts/better-auth-sessions.ts';
import type { SignedIn } from '../../src/accounts/person.ts';
import { createLogger } from '../../src/observability/logger.ts';
import type { NewLink } from '../../src/storage/people-ports.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { describeDrivers, type OpenStorage } from '../storage/drivers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-20T10:00:00.000Z');
const ADA = { email: 'ada@firm.example', password: 'four walnut canoes adrift' };

let storage: Storage;
let options: BetterAuthOptions;
let sessions: BetterAuthSessions;
const setUp = async (open: OpenStorage) => {
  // better-auth reads the clock of the process.
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  storage = await open();
  const { people, links } = storage.peopleStorage;
  const at = new Date(START).toISOString();
  const link: NewLink = {
    ...{
      id: 'lnk_1',
      purpose: 'setup' as const,
      email: null,
      personId: null,
      operatorRole: 'owner' as const,
      membership: null,
    },
    ...{ createdBy: null, createdAt: at, expiresAt: '9999-12-31T00:00:00.000Z', hash: Buffer.from('1') },
  };
  const entry = { at, personId: null, person: 'test', subject: null, accountId: null, detail: {} };
  await links.create(link, { ...entry, id: 'act_1', action: 'link.made' });
  const ada = {
    id: 'per_ada',
    email: ADA.email,
    name: 'Ada',
    operatorRole: 'owner',
    memberships: [],
  } as const;
  const passwordHash = await hashPassword(ADA.password);
  await links.join(
    link,
    { ...ada, createdAt: at, passwordHash },
    { ...entry, id: 'act_2', action: 'person.joined' },
  );
  options = {
    dialect: await storage.peopleStorage.sessionDialect(),
    people,
    secret: randomBytes(32),
    idleSeconds: 12 * 3_600,
    log: createLogger('silent'),
  };
  sessions = new BetterAuthSessions(options);
};
afterEach(() => {
  vi.useRealTimers();
});

const cookieOf = (signedIn: SignedIn | null) => signedIn?.setCookies[0]?.split(';', 1)[0];
const begin = async () => cookieOf(await sessions.begin(ADA.email, ADA.password));
const at = (ms: number) => vi.setSystemTime(START + ms);

describeDrivers('a session', (open) => {
  beforeEach(() => setUp(open));

  it('ends after its hours without use', async () => {
    const cookie = await begin();
    at(12 * HOUR - 1);
    expect((await sessions.identify(cookie))?.person.id).toBe('per_ada');
    const unused = await begin();
    at(24 * HOUR);
    expect(await sessions.identify(unused)).toBeNull();
  });

  it('stays valid while it is used, and its cookie is renewed', async () => {
    const cookie = await begin();
    at(60_000);
    expect((await sessions.identify(cookie))?.setCookies).toEqual([]);
    at(10 * HOUR);
    expect((await sessions.identify(cookie))?.setCookies.join()).toMatch(/Max-Age=43200/);
    at(20 * HOUR);
    expect((await sessions.identify(cookie))?.person.email).toBe(ADA.email);
  });

  it('ends after thirty days, however often it is used', async () => {
    const cookie = await begin();
    for (let used = 10 * HOUR; used <= 30 * DAY; used += 10 * HOUR) {
      at(used);
      expect(await sessions.identify(cookie), `${used / HOUR} h`).not.toBeNull();
    }
    at(30 * DAY + 1);
    expect(await sessions.identify(cookie)).toBeNull();
  });

  it('is stored without client address and user agent, and is deleted once it has ended', async () => {
    await begin();
    await storage.peopleStorage.people.deleteEndedSessions(new Date(START + 12 * HOUR - 1).toISOString());
    expect(await rows()).toMatchObject([{ client_address: '', user_agent: '' }]);
    await storage.peopleStorage.people.deleteEndedSessions(new Date(START + 12 * HOUR).toISOString());
    expect(await rows()).toEqual([]);
  });

  it('that could not be deleted is reported as an error, not as ended', async () => {
    const cookie = await begin();
    const dialect = deletingNothing(await storage.peopleStorage.sessionDialect());
    const broken = new BetterAuthSessions({ ...options, dialect });
    await expect(broken.end(cookie)).rejects.toThrow(/still there/);
    expect(await sessions.end(cookie)).toHaveLength(1);
  });

  it('that cannot be looked up, as the database is away, is told by the rejection alone', async () => {
    const cookie = await begin();
    const error = vi.spyOn(options.log, 'error');
    await storage.close();
    await expect(sessions.identify(cookie)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(sessions.begin(ADA.email, ADA.password)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(sessions.end(cookie)).rejects.toMatchObject({ code: 'unavailable' });
    expect(error).not.toHaveBeenCalled();
  });

  it('does not exist for a cookie of another name or no cookie', async () => {
    expect(await sessions.identify(undefined)).toBeNull();
    expect(await sessions.identify('__Secure-better-auth.session_token=x')).toBeNull();
  });
});

function deletingNothing(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler() {
      const compiler = dialect.createQueryCompiler();
      return {
        compileQuery(...given) {
          const query = compiler.compileQuery(...given);
          return query.sql.startsWith('delete') ? { ...query, sql: `${query.sql} and false` } : query;
        },
      };
    },
  };
}

async function rows(): Promise<readonly unknown[]> {
  const { Kysely } = await import('kysely');
  const db = new Kysely<{ sessions: { client_address: string; user_agent: string } }>({
    dialect: await storage.peopleStorage.sessionDialect(),
  });
  return db.selectFrom('sessions').selectAll().execute();
}
