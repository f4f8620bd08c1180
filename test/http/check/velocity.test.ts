import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, startTestService, type TestService } from '../../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: TestService;
let now = Date.now();
const start = (settings: Record<string, unknown> = {}) =>
  startTestService(settings, { clock: { now: () => now } });

async function factsOf(id: unknown): Promise<Readonly<Record<string, number>>> {
  const [row] = await service.rows('SELECT facts FROM checks WHERE id = ?', `${id}`);
  return JSON.parse(`${row?.facts}`);
}

/** Four counts in the record of a check; null where unknown. */
async function countsOf(email: string, secret = service.key) {
  const { status, json } = await service.check(email, { headers: { authorization: `Bearer ${secret}` } });
  expect(status).toBe(200);
  const facts = await factsOf(json.id);
  return ['canonical_24h', 'owner_cluster_24h', 'domain_1h', 'pattern_1h'].map(
    (name) => facts[`velocity.${name}`],
  );
}

describe('velocity of live checks', () => {
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    // Each test starts when no count of the previous one is left.
    now += 31 * 24 * HOUR_MS;
  });

  it('counts this check and the earlier ones, by address, owner, domain and shape', async () => {
    expect(await countsOf('jane.doe@firm.example')).toEqual([1, 1, 1, 1]);
    expect(await countsOf('janedoe@firm.example')).toEqual([1, 2, 2, 1]);
    expect(await countsOf('john.smith@example.com')).toEqual([1, 1, 1, 2]);
    now += 11 * MINUTE_MS;
    expect(await countsOf('Jane.Doe+shop@firm.example')).toEqual([2, 3, 3, 3]);
    now += 61 * MINUTE_MS;
    expect(await countsOf('jane.doe@firm.example')).toEqual([3, 4, 1, 1]);
    now += 24 * HOUR_MS;
    expect(await countsOf('jane.doe@firm.example')).toEqual([1, 1, 1, 1]);
  });

  it('counts a retry once, with the same answer, in upper case too', async () => {
    expect(await countsOf('jane.doe@gmail.com')).toEqual([1, 1, 1, 1]);
    expect(await countsOf('jane.doe@gmail.com')).toEqual([1, 1, 1, 1]);
    expect(await countsOf(' JANE.Doe@Gmail.com ')).toEqual([1, 1, 1, 1]);
    now += 10 * MINUTE_MS;
    expect(await countsOf('jane.doe@gmail.com')).toEqual([2, 2, 2, 2]);
  });

  it('counts each other form of one address, by tag, dots or domain, as a check of that address', async () => {
    const forms = Array.from({ length: 58 }, (_, n) => `bulk+${n + 1}@gmail.com`);
    for (const form of [...forms, 'b.u.l.k@gmail.com', 'bulk+1@googlemail.com']) await countsOf(form);
    expect(await countsOf('bulk+58@gmail.com')).toEqual([60, 60, 60, 60]);
    const { json } = await service.check('bulk@gmail.com');
    expect(json.summary).toMatchObject({ risk_score: 50, risk_level: 'medium', action: 'ALLOW' });
    const facts = await factsOf(json.id);
    expect(facts['velocity.spellings_24h']).toBe(61);
    expect([facts['velocity.canonical_7d'], facts['velocity.canonical_30d']]).toEqual([61, 61]);
  });

  it('counts an address that is typed with comments, names or quotation marks as the same address', async () => {
    const forms = [
      'jane@gmail.com',
      '(a)jane@gmail.com',
      'jane@gmail.com (b)',
      'Jane <jane@gmail.com>',
      '"jane"@gmail.com',
    ];
    for (const form of forms) await countsOf(form);
    expect((await countsOf('(c)jane@gmail.com'))[0]).toBe(6);
    expect((await countsOf('JANE <JANE@gmail.com>'))[0]).toBe(6);
  });

  it('keeps its counts over a reload of the rules', async () => {
    expect(await countsOf('jane@example.com')).toEqual([1, 1, 1, 1]);
    await service.reload();
    expect(await countsOf('joan@example.com')).toEqual([1, 1, 2, 2]);
  });

  it('counts the same address from another key of the account again', async () => {
    const other = await service.createKey('live');
    await countsOf('jane@example.com');
    expect(await countsOf('jane@example.com', other)).toEqual([2, 2, 2, 2]);
    expect(await countsOf('jane@example.com', other)).toEqual([2, 2, 2, 2]);
  });

  it('shows one account no counts of another', async () => {
    await countsOf('jane@example.com');
    const secret = await service.manageKeys(async (keys) => {
      const account = await keys.createAccount('other');
      return (await keys.createKey({ accountId: account.id, environment: 'live', name: null })).secret;
    });
    expect(await countsOf('jane@example.com', secret)).toEqual([1, 1, 1, 1]);
  });

  it('is not changed by test keys, for which each check is the first', async () => {
    const test = await service.createKey('test');
    await countsOf('jane@example.com');
    for (const _ of [1, 2, 3]) expect(await countsOf('joan@example.com', test)).toEqual([1, 1, 1, 1]);
    now += 11 * MINUTE_MS;
    expect(await countsOf('joan@example.com')).toEqual([1, 1, 2, 2]);
  });

  it('counts concurrent checks', async () => {
    const emails = Array.from({ length: 20 }, (_, n) => `user.${'abcdefghijklmnopqrst'[n]}@example.com`);
    const counts = await Promise.all(emails.map((email) => countsOf(email)));
    const inOrder = (of: readonly (number | undefined)[]) => [...of].sort((a, b) => Number(a) - Number(b));
    expect(inOrder(counts.map(([, , domain]) => domain))).toEqual(emails.map((_, n) => n + 1));
  });

  it('counts no refusal: neither an unparseable address nor a check that could not be recorded', async () => {
    expectRefusal(await service.check('jane@@example.com'), 'unparseable_email');
    const letGo = await service.holdRecords();
    expectRefusal(await service.check('jane@example.com'), 'unavailable');
    await letGo();
    expect(await countsOf('jane@example.com')).toEqual([1, 1, 1, 1]);
  });
});

it('counts under privacy none too', async () => {
  now = Date.now();
  service = await start({ privacy: { store_addresses: 'none' } });
  await countsOf('jane.secretive@firm.example');
  now += 11 * MINUTE_MS;
  expect(await countsOf('jane.secretive@firm.example')).toEqual([2, 2, 2, 2]);
  await service.stop();
});

it('has only the owner unknown while the operator of the MX is unknown', async () => {
  now = Date.now();
  service = await start();
  service.dns.setBehaviour('servfail', 'elsewhere.example');
  expect(await countsOf('jane@elsewhere.example')).toEqual([1, null, 1, 1]);
  await service.stop();
});
