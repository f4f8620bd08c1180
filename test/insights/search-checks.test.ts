import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckSearch, FoundChecks } from '../../src/insights/insights-queries.ts';
import { searchChecks } from '../../src/storage/shared/search-checks.ts';
import { sqliteRecords } from '../../src/storage/sqlite/database.ts';
import { accountOf, keyOf } from '../storage/rows.ts';
import { describeRecords, type Records, someRecords } from './records.ts';

const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;

async function find(records: Records, filter: Omit<CheckSearch, 'limit'>): Promise<readonly string[]> {
  return idsOf(await records.ask('search', { limit: 50, ...filter }));
}

function idsOf({ checks }: FoundChecks): readonly string[] {
  return checks.map(({ id }) => id);
}

describeRecords('a search of checks', (someRecords) => {
  it.each<[string, Omit<CheckSearch, 'limit'>]>([
    ['its id', { id: 'chk_it' }],
    ['its address', { person: 'aa' }],
    ['its domain', { domain: 'mail.trash.example' }],
    ['a domain above its own', { domain: '.trash.example' }],
    ['a rule that fired', { rule: 'disposable' }],
    ['a rule that forced', { rule: 'denied' }],
    ['a rule in the shadow', { rule: 'shady' }],
    ['its action', { action: 'BLOCK' }],
    ['its level', { level: 'high' }],
    ['its environment', { environment: 'test' }],
    ['the least score', { min_score: 80 }],
    ['the highest score', { min_score: 13, max_score: 80 }],
    ['its rule set', { ruleset: 'feedfeedfeedfeed' }],
    ['its key', { key_id: 'key_9' }],
    ['its account', { accountId: 'acc_9' }],
    ['its time', { since: at(30), until: at(31) }],
    ['all at once', { id: 'chk_it', accountId: 'acc_9', person: 'aa', action: 'BLOCK', since: at(30) }],
  ])('finds it by %s', async (_, filter) => {
    const records = await someRecords();
    const ledger = [
      { kind: 'force', points: 0, id: 'denied', action: 'BLOCK', saw: {} },
      { kind: 'rule', points: 70, id: 'disposable', group: 'domain', saw: {} },
      { kind: 'rule', points: 20, id: 'role', group: 'domain', saw: {} },
      { kind: 'absorbed', points: -20, id: 'role', by: 'disposable' },
      { kind: 'shadow', points: 0, id: 'shady', would_add: 5, saw: {} },
    ];
    await records.add(
      { id: 'chk_a', created_at: at(29), domain: 'nottrash.example', address_hmac: 'bb' },
      {
        id: 'chk_it',
        created_at: at(30),
        account_id: 'acc_9',
        key_id: 'key_9',
        environment: 'test',
        action: 'BLOCK',
        risk_score: 80,
        risk_level: 'high',
        ruleset: 'feedfeedfeedfeed',
        domain: 'mail.trash.example',
        address_hmac: 'aa',
        ledger: JSON.stringify(ledger),
      },
      {
        id: 'chk_z',
        created_at: at(31),
        // A rule that was skipped is named, and has not fired.
        ledger: '[{"kind":"stood_aside","points":0,"id":"disposable","unknown":["a.b"]}]',
      },
    );
    const { checks, next } = await records.ask('search', { limit: 50, ...filter });
    expect(checks).toEqual([
      expect.objectContaining({
        id: 'chk_it',
        rules: [
          { id: 'disposable', points: 70 },
          { id: 'denied', points: 0 },
          { id: 'role', points: 0 },
        ],
        unknown: ['domain.has_mx'],
        label: null,
        person: 'aa',
      }),
    ]);
    expect(next).toBeNull();
  });

  it('finds the matching ones among known checks, and only these', async () => {
    const records = await someRecords();
    const ledger = '[{"kind":"stood_aside","points":0,"id":"role","unknown":["a.b"]}]';
    await records.add(
      { id: 'chk_1', created_at: at(1), address_hmac: 'aa' },
      { id: 'chk_2', created_at: at(2), action: 'BLOCK', account_id: 'acc_2', ledger },
      { id: 'chk_3', created_at: at(3) },
    );
    const ids = ['chk_1', 'chk_2', 'chk_none'];
    expect(await find(records, { ids })).toEqual(['chk_2', 'chk_1']);
    expect(await find(records, { ids, action: 'BLOCK' })).toEqual(['chk_2']);
    expect(await find(records, { ids, accountId: 'acc_1' })).toEqual(['chk_1']);
    expect(await find(records, { ids, person: 'aa' })).toEqual(['chk_1']);
    expect(await find(records, { ids, since: at(2) })).toEqual(['chk_2']);
    expect(await find(records, { ids, until: at(2) })).toEqual(['chk_1']);
    expect(await find(records, { ids, id: 'chk_3' })).toEqual([]);
    expect(await find(records, { ids, rule: 'role' })).toEqual([]);
  });

  it('finds by label: the check’s own label before its person’s, or no label', async () => {
    const records = await someRecords();
    await records.storage.accounts.create(accountOf('acc_1'));
    await records.storage.keys.create(keyOf(1));
    await records.add(
      { id: 'chk_own', created_at: at(3), address_hmac: 'aa' },
      { id: 'chk_person', created_at: at(2), address_hmac: 'aa' },
      { id: 'chk_none', created_at: at(1) },
    );
    const labelled = { source: 'test', author: null, labelledAt: at(9) };
    await records.storage.labels.put(
      'acc_1',
      [
        { subject: { addressHmac: 'aa' }, label: 'bad', ...labelled },
        { subject: { checkId: 'chk_own' }, label: 'good', ...labelled },
      ],
      at(9),
    );
    const found = await Promise.all(
      (['good', 'bad', 'none'] as const).map((label) => find(records, { label })),
    );
    expect(found).toEqual([['chk_own'], ['chk_person'], ['chk_none']]);
  });

  it('returns all, newest first, page after page, each once although new checks are added meanwhile', async () => {
    const records = await someRecords();
    // Two in one millisecond: the higher id counts as newer.
    for (const [id, minute] of [
      ['c', 1],
      ['b', 3],
      ['a', 3],
      ['d', 2],
      ['e', 4],
    ] as const) {
      await records.add({ id: `chk_${id}`, created_at: at(minute) });
    }
    const pages: FoundChecks[] = [await records.ask('search', { limit: 2 })];
    await records.add({ id: 'chk_late', created_at: at(5) });
    for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
      pages.push(await records.ask('search', { limit: 2, after: next }));
    }
    expect(pages.map(idsOf)).toEqual([['chk_e', 'chk_b'], ['chk_a', 'chk_d'], ['chk_c']]);
    expect(pages.map((page) => page.searched_back_to)).toEqual([at(3), at(2), null]);
  });

  it('ends before the end of the requested time, on every page, from any position', async () => {
    const records = await someRecords();
    await records.add(...[1, 2, 3, 4].map((n) => ({ id: `chk_${n}`, created_at: at(n) })));
    const first = await records.ask('search', { limit: 1, until: at(4) });
    expect(idsOf(first)).toEqual(['chk_3']);
    const after = first.next ?? '';
    expect(idsOf(await records.ask('search', { limit: 9, until: at(4), after }))).toEqual(['chk_2', 'chk_1']);
    expect(idsOf(await records.ask('search', { limit: 9, until: at(2), after }))).toEqual(['chk_1']);
  });

  it('returns newer ones likewise, oldest first, within the same bounds', async () => {
    const records = await someRecords();
    await records.add(...[1, 2, 3, 4, 5].map((n) => ({ id: `chk_${n}`, created_at: at(n), risk_score: n })), {
      id: 'chk_30',
      created_at: at(3),
      risk_score: 30,
    });
    const newer = (filter: Omit<CheckSearch, 'limit'>, limit = 9) =>
      records.ask('search', { limit, before: `${at(3)}.chk_3`, ...filter });
    const first = await newer({}, 2);
    expect(idsOf(first)).toEqual(['chk_30', 'chk_4']);
    expect(idsOf(await newer({ before: first.next ?? '' }))).toEqual(['chk_5']);
    expect(idsOf(await newer({ max_score: 4 }))).toEqual(['chk_4']);
    expect(idsOf(await newer({ since: at(4), until: at(5) }))).toEqual(['chk_4']);
    expect(idsOf(await newer({ since: at(1) }))).toEqual(['chk_30', 'chk_4', 'chk_5']);
    const bounded = await searchChecks(
      records.database,
      { limit: 9, min_score: 5, max_score: 5, before: `${at(1)}.chk_1` },
      2,
    );
    expect(bounded).toMatchObject({ checks: [], searched_back_to: at(3) });
    expect(idsOf(await newer({ min_score: 5, max_score: 5, before: bounded.next ?? '' }))).toEqual(['chk_5']);
  });

  it('reads a limited number of checks for a page, and reports how far back that was', async () => {
    const records = await someRecords();
    await records.add(...[1, 2, 3, 4, 5].map((n) => ({ id: `chk_${n}`, created_at: at(n), risk_score: n })));
    const filter = { limit: 50, max_score: 1 };
    const first = await searchChecks(records.database, filter, 2);
    expect(first).toMatchObject({ checks: [], searched_back_to: at(4) });
    const second = await searchChecks(records.database, { ...filter, after: first.next ?? '' }, 2);
    expect(second).toMatchObject({ checks: [], searched_back_to: at(2) });
    const third = await searchChecks(records.database, { ...filter, after: second.next ?? '' }, 2);
    expect(third).toMatchObject({ checks: [{ id: 'chk_1' }], next: null, searched_back_to: null });
  });

  it('reads a limited number of checks of one address, and none of another account', async () => {
    const records = await someRecords();
    const ofAddress = (n: number, account_id: string) => ({
      ...{ id: `chk_${n}`, created_at: at(n), account_id, address_hmac: 'aa', risk_score: n },
    });
    await records.add(...[1, 2, 3, 4].map((n) => ofAddress(n, n === 1 ? 'acc_mine' : 'acc_other')));
    const filter = { limit: 50, person: 'aa', max_score: 1 };
    expect(await searchChecks(records.database, filter, 2)).toMatchObject({
      checks: [],
      searched_back_to: at(3),
    });
    const mine = await searchChecks(records.database, { ...filter, accountId: 'acc_mine' }, 2);
    expect(mine).toMatchObject({ checks: [{ id: 'chk_1' }], next: null, searched_back_to: null });
  });

  it('accepts only its own cursors', async () => {
    const records = await someRecords();
    await expect(records.ask('search', { limit: 1, after: 'nonsense.x' })).rejects.toThrow('no search named');
  });
});

describe('a search in SQLite', () => {
  it('uses an index for time and address, and sorts only the checks of one address', async () => {
    const records = await someRecords();
    const reading = new DatabaseSync(records.url, { readOnly: true });
    onTestFinished(() => reading.close());
    const plans: string[] = [];
    const statements: string[] = [];
    const spying = new Proxy(reading, {
      get: (database, name) =>
        name === 'prepare'
          ? (sql: string) => {
              statements.push(sql);
              const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
              plans.push(plan.map(({ detail }) => String(detail)).join('; '));
              return database.prepare(sql);
            }
          : Reflect.get(database, name),
    });
    const spied = sqliteRecords(spying);
    await searchChecks(spied, { limit: 1 });
    await searchChecks(spied, { limit: 1, accountId: 'acc_1', since: at(1) });
    await searchChecks(spied, { limit: 1, accountId: 'acc_1', person: 'aa' });
    await searchChecks(spied, { limit: 1, accountId: 'acc_1', id: 'chk_1' });
    await searchChecks(spied, { limit: 1, person: 'aa', since: at(1), until: at(2) });
    await searchChecks(spied, {
      limit: 1,
      accountId: 'acc_1',
      since: at(1),
      until: at(2),
      before: `${at(1)}.x`,
    });
    await searchChecks(spied, { limit: 1, ids: ['chk_1', 'chk_2'], accountId: 'acc_1', since: at(1) });
    expect(plans.pop()).toContain('sqlite_autoindex_checks_1');
    statements.pop();
    expect(plans.map((plan) => /SEARCH c USING (?:COVERING )?INDEX (\w+)/.exec(plan)?.[1])).toEqual([
      ...['checks_by_time', 'checks_by_time', 'checks_by_account', 'checks_by_account'],
      ...['checks_by_person', 'checks_by_person', 'sqlite_autoindex_checks_1'],
      ...['checks_by_person', 'checks_by_person'],
      ...['checks_by_account', 'checks_by_account'],
    ]);
    expect(plans.map((plan) => plan.includes('TEMP B-TREE'))).toEqual([
      ...[false, false, false, false],
      ...[false, false, false],
      ...[true, true],
      ...[false, false],
    ]);
    expect(plans[4]).toContain('COVERING INDEX');
    // Of two upper bounds SQLite would use one, and read all rows between it and the other.
    for (const sql of statements) expect(sql.match(/created_at [<>]=? \?/g)?.length).toBeLessThan(3);
    for (const sql of statements.slice(0, -2)) expect(sql.match(/created_at <=? \?/g)).toHaveLength(1);
    for (const sql of statements.slice(-2)) expect(sql.match(/created_at >=? \?/g)).toHaveLength(1);
  });
});
