import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckSearch, FoundChecks } from '../../src/insights/insights-queries.ts';
import type { NewCheck } from '../../src/storage/ports.ts';
import { accountOf, checkOf } from '../storage/rows.ts';
import { describePostgres } from '../support/postgres.ts';
import { type Records, somePostgresRecords, someRecords } from './records.ts';

const BEGIN = Date.parse('2026-11-01T00:00:00Z');
const END = Date.parse('2026-11-20T12:30:00Z');
const ACCOUNTS = ['acc_1', 'acc_2', 'acc_B', 'acc_a'];
const PEOPLE = ['aa', 'bb', 'cc'];
const CHECKS = 1_500;
const SEED = 37;

/** Some in the same millisecond, some in hours without a neighbour; ids that another collation would order differently. */
const instant = fc
  .oneof(
    fc.integer({ min: BEGIN, max: END }),
    fc.integer({ min: 0, max: 20 }).map((n) => BEGIN + n * 90_000_000),
  )
  .map((ms) => new Date(ms).toISOString());
const ledger = fc
  .subarray([
    { kind: 'rule', points: 70, id: 'disposable', group: 'domain', saw: {} },
    { kind: 'rule', points: 20, id: 'role', group: 'domain', saw: {} },
    { kind: 'absorbed', points: -20, id: 'role', by: 'disposable' },
    { kind: 'stood_aside', points: 0, id: 'catch_all', unknown: ['domain.is_catch_all'] },
    { kind: 'shadow', points: 0, id: 'shady', would_add: 5, saw: {} },
  ])
  .map((entries) => JSON.stringify(entries));
const check = fc.record({
  created_at: instant,
  account_id: fc.constantFrom(...ACCOUNTS),
  key_id: fc.constantFrom('key_1', 'key_2'),
  environment: fc.constantFrom('live', 'live', 'test'),
  action: fc.constantFrom('ALLOW', 'BLOCK'),
  risk_score: fc.integer({ min: 0, max: 100 }),
  domain: fc.constantFrom('a.example', 'b.a.example', 'B.example', '%_.example', 'ß.example', null),
  address_hmac: fc.constantFrom(...PEOPLE, null),
  unknown: fc.constantFrom('{}', '{"domain.has_mx":"timeout"}', '{"other.fact":"error"}'),
  ledger,
  timings: fc.integer({ min: 0, max: 9_999 }).map((us) => ({ mx: us })),
  duration_us: fc.option(fc.integer({ min: 0, max: 9_999 })),
});
const PREFIXES = ['chk_A', 'chk_a', 'chk_-', 'chk_Z'];

const SEARCHES: readonly Omit<CheckSearch, 'limit'>[] = [
  {},
  { accountId: 'acc_B' },
  { person: 'aa' },
  { person: 'aa', accountId: 'acc_a' },
  { domain: 'a.example' },
  { domain: '.a.example' },
  { domain: '.example', action: 'BLOCK' },
  { domain: '.ß.example' },
  { rule: 'role', until: '2026-11-15T00:00:00.000Z' },
  { rule: 'catch_all' },
  { label: 'bad' },
  { label: 'none', since: '2026-11-18T00:00:00.000Z' },
  { min_score: 30, max_score: 40, environment: 'live', key_id: 'key_2' },
  { level: 'none' },
];
/** The checks that are newer than this, in pages. */
const NEWER: readonly Omit<CheckSearch, 'limit'>[] = [
  { before: '2026-11-10T00:00:00.000Z.chk_a' },
  {
    before: '2026-11-10T00:00:00.000Z.chk_a',
    accountId: 'acc_B',
    rule: 'role',
    until: '2026-11-15T00:00:00.000Z',
  },
  { before: '2026-11-10T00:00:00.000Z.chk_a', person: 'aa', since: '2026-11-12T00:00:00.000Z' },
];

/** The same in each database: checks, labels, and the counted hours. */
async function fill(records: Records, checks: readonly NewCheck[]): Promise<void> {
  for (const account of ACCOUNTS) await records.storage.accounts.create(accountOf(account));
  await records.add(...checks);
  const at = new Date(END).toISOString();
  const given = { source: 'test', author: null, labelledAt: at };
  const [first] = checks.filter(({ account_id }) => account_id === 'acc_1');
  await records.storage.labels.put(
    'acc_1',
    [
      { subject: { addressHmac: 'aa' }, label: 'bad', ...given },
      { subject: { checkId: first?.id ?? '' }, label: 'good', ...given },
    ],
    at,
  );
  for (let isDone = false; !isDone; ) isDone = await records.count();
}

async function pagesOf(
  records: Records,
  search: Omit<CheckSearch, 'limit'>,
): Promise<readonly FoundChecks[]> {
  const pages: FoundChecks[] = [];
  for (let place: Partial<CheckSearch> = {}; ; ) {
    const page = await records.ask('search', { ...search, ...place, limit: 170 });
    pages.push(page);
    if (page.next === null) return pages;
    place = search.before === undefined ? { after: page.next } : { before: page.next };
  }
}

describePostgres('of the same records', (server) => {
  it('SQLite and PostgreSQL return the same: figures, usage, pages of searches, single checks, counted hours', async () => {
    const [drawn] = fc.sample(fc.array(check, { minLength: CHECKS, maxLength: CHECKS, size: 'max' }), {
      seed: SEED,
      numRuns: 1,
    });
    const checks = (drawn ?? []).map((fields, n) =>
      checkOf(`${PREFIXES[n % PREFIXES.length]}${n}`, { risk_level: 'low', ...fields }),
    );
    const drivers = [await someRecords(() => END), await somePostgresRecords(server, () => END)];
    const told = await Promise.all(
      drivers.map(async (records) => {
        await fill(records, checks);
        const ranges = [
          { since: new Date(BEGIN).toISOString(), until: new Date(END).toISOString() },
          { since: '2026-11-03T10:20:00.000Z', until: '2026-11-05T09:59:59.999Z' },
          { since: '2026-10-01T00:00:00.000Z', until: '2026-10-02T00:00:00.000Z' },
        ];
        const figures = ranges.flatMap((range) =>
          [undefined, 'acc_1', 'acc_none'].flatMap((accountId) => [
            records.ask('overview', { ...range, accountId }),
            records.ask('usage', { ...range, accountId }),
          ]),
        );
        const [one] = checks;
        return {
          figures: await Promise.all(figures),
          pages: await Promise.all(SEARCHES.map((search) => pagesOf(records, search))),
          newer: await Promise.all(NEWER.map((search) => pagesOf(records, search))),
          check: await records.ask('check', { id: one?.id ?? '' }),
          hours: await records.database.all('SELECT * FROM check_hours ORDER BY account_id, hour'),
        };
      }),
    );
    const [sqlite, postgres] = told;
    expect(postgres).toEqual(sqlite);
    // The results are not empty.
    expect(sqlite?.newer.map((pages) => pages[0]?.checks.length ?? 0)).not.toContain(0);
    expect(sqlite?.figures[0]).toMatchObject({ counted_share: 1, checks: expect.any(Number) });
    expect(sqlite?.pages[0]?.flatMap((page) => page.checks)).toHaveLength(CHECKS);
    const found = sqlite?.pages.map((pages) => pages.flatMap((page) => page.checks).length) ?? [];
    expect(SEARCHES.filter((_, n) => found[n] === 0)).toEqual([
      { domain: '.ß.example' },
      { rule: 'catch_all' },
      { level: 'none' },
    ]);
  });
});
