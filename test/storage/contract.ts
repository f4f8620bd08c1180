import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freshKey } from '../../src/accounts/key.ts';
import type { CheckSelection, Storage, TriedCheck } from '../../src/storage/ports.ts';
import { describeLabels } from './label-contract.ts';
import { accountOf, checkOf, hashOf, keyOf, rowOf } from './rows.ts';

/** A database of its own, that can be opened several times. */
export interface TestDatabase {
  open(durability?: 'commit' | 'async'): Promise<Storage>;
}

/** What every driver promises. A new driver runs this suite and adds its own tests beside it. */
export function describeStorage(name: string, createDatabase: () => Promise<TestDatabase>): void {
  describe(`${name} storage`, () => {
    let database: TestDatabase;
    let storage: Storage;

    const open: TestDatabase['open'] = async (durability) => {
      const opened = await database.open(durability);
      onTestFinished(() => opened.close());
      return opened;
    };

    beforeEach(async () => {
      database = await createDatabase();
      storage = await open();
    });

    describe('accounts', () => {
      it('are found by id and listed by creation', async () => {
        const later = { createdAt: '2026-11-20T11:00:00.000Z' };
        await storage.accounts.create(accountOf('acc_a', later));
        await storage.accounts.create(accountOf('acc_z'));
        await storage.accounts.create(accountOf('acc_b', { createdAt: '2026-11-20T10:30:00.000Z' }));
        expect(await storage.accounts.find('acc_a')).toEqual(accountOf('acc_a', later));
        // The second is what an address of the dashboard can ask for: `%00`.
        expect(await storage.accounts.find('acc_none')).toBeUndefined();
        expect(await storage.accounts.find('acc_a\0')).toBeUndefined();
        expect((await storage.accounts.list()).map(({ id }) => id)).toEqual(['acc_z', 'acc_b', 'acc_a']);
      });

      it('never share an id', async () => {
        await storage.accounts.create(accountOf('acc_1'));
        await expect(storage.accounts.create(accountOf('acc_1', { name: 'other' }))).rejects.toThrow();
        expect(await storage.accounts.list()).toEqual([accountOf('acc_1')]);
      });
    });

    describe('keys', () => {
      beforeEach(async () => {
        await storage.accounts.create(accountOf('acc_1'));
        await storage.accounts.create(accountOf('acc_2'));
      });

      it('are found by their hash, byte for byte', async () => {
        await storage.keys.create(keyOf(7, { environment: 'test', name: 'ci' }));
        expect(await storage.keys.findByHash(hashOf(7))).toEqual({
          key: freshKey(keyOf(7, { environment: 'test', name: 'ci' })),
          hash: hashOf(7),
        });
        expect(await storage.keys.findByHash(hashOf(8))).toBeUndefined();
      });

      it('are shown without their hash elsewhere', async () => {
        await storage.keys.create(keyOf(1));
        expect(await storage.keys.find('key_1')).not.toHaveProperty('hash');
        expect((await storage.keys.list())[0]).not.toHaveProperty('hash');
      });

      it('are listed by creation, all or of one account', async () => {
        const at = (minute: number) => ({ createdAt: `2026-11-20T10:0${minute}:00.000Z` });
        await storage.keys.create(keyOf(3, at(3)));
        await storage.keys.create(keyOf(2, at(1)));
        await storage.keys.create(keyOf(1, { accountId: 'acc_2', ...at(2) }));
        expect((await storage.keys.list()).map(({ id }) => id)).toEqual(['key_2', 'key_1', 'key_3']);
        expect((await storage.keys.list('acc_1')).map(({ id }) => id)).toEqual(['key_2', 'key_3']);
        expect(await storage.keys.list('acc_none')).toEqual([]);
      });

      it('belong to an account that exists', async () => {
        await expect(storage.keys.create(keyOf(1, { accountId: 'acc_none' }))).rejects.toThrow();
      });

      it('never share a hash', async () => {
        await storage.keys.create(keyOf(1));
        await expect(storage.keys.create(keyOf(2, { hash: hashOf(1) }))).rejects.toThrow();
      });

      it('are revoked for every other opening at once, and keep the first time', async () => {
        await storage.keys.create(keyOf(1));
        const other = await open();
        expect((await storage.keys.findByHash(hashOf(1)))?.key.revokedAt).toBeNull();
        expect(await other.keys.revoke('key_1', '2026-11-20T11:00:00.000Z')).toBe(true);
        expect((await storage.keys.findByHash(hashOf(1)))?.key.revokedAt).toBe('2026-11-20T11:00:00.000Z');
        expect(await other.keys.revoke('key_1', '2026-11-20T12:00:00.000Z')).toBe(true);
        expect((await storage.keys.findByHash(hashOf(1)))?.key.revokedAt).toBe('2026-11-20T11:00:00.000Z');
        expect(await other.keys.revoke('key_none', '2026-11-20T12:00:00.000Z')).toBe(false);
      });

      it('are rotated for every other opening at once: the successor stands, the one before has an end', async () => {
        await storage.keys.create(keyOf(1, { name: 'ci' }));
        const other = await open();
        const end = '2026-11-21T10:00:00.000Z';
        expect(await other.keys.rotate('key_1', end, keyOf(2, { name: 'ci' }))).toBe(true);
        expect((await storage.keys.findByHash(hashOf(1)))?.key).toMatchObject({
          expiresAt: end,
          replacedBy: 'key_2',
        });
        expect(await storage.keys.find('key_2')).toEqual({
          ...freshKey(keyOf(2, { name: 'ci' })),
          family: 'key_1',
        });
        expect(await other.keys.rotate('key_2', end, keyOf(3))).toBe(true);
        expect((await storage.keys.findByHash(hashOf(3)))?.key.family).toBe('key_1');
      });

      it('are rotated by one of two who try at once, and leave no second successor', async () => {
        await storage.keys.create(keyOf(1));
        const other = await open();
        const end = '2026-11-21T10:00:00.000Z';
        const tries = [storage, other].map(({ keys }, index) => keys.rotate('key_1', end, keyOf(2 + index)));
        expect((await Promise.all(tries)).toSorted()).toEqual([false, true]);
        expect(await storage.keys.list()).toHaveLength(2);
      });

      it('are not rotated when they are revoked or not there, and nothing is stored', async () => {
        await storage.keys.create(keyOf(1));
        await storage.keys.revoke('key_1', '2026-11-20T11:00:00.000Z');
        const end = '2026-11-21T10:00:00.000Z';
        expect(await storage.keys.rotate('key_1', end, keyOf(2))).toBe(false);
        expect(await storage.keys.rotate('key_none', end, keyOf(2))).toBe(false);
        expect((await storage.keys.list()).map(({ id, expiresAt }) => [id, expiresAt])).toEqual([
          ['key_1', null],
        ]);
      });

      it('are not rotated half: a successor that is refused leaves the old one without an end', async () => {
        await storage.keys.create(keyOf(1));
        const end = '2026-11-21T10:00:00.000Z';
        await expect(storage.keys.rotate('key_1', end, keyOf(2, { hash: hashOf(1) }))).rejects.toThrow();
        expect(await storage.keys.find('key_1')).toMatchObject({ expiresAt: null, replacedBy: null });
        // The connection is not stuck in the transaction that failed.
        expect(await storage.keys.rotate('key_1', end, keyOf(2))).toBe(true);
      });

      it('are marked as seen in clear by one of two who see it at once', async () => {
        await storage.keys.create(keyOf(1));
        const other = await open();
        const [ten, eleven] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'];
        const marks = [storage, other].map(({ keys }) => keys.markSeenInClear('key_1', eleven, ten));
        expect((await Promise.all(marks)).toSorted()).toEqual([false, true]);
        expect((await storage.keys.find('key_1'))?.seenInClearAt).toBe(eleven);
        expect(await storage.keys.markSeenInClear('key_1', '2026-11-20T12:00:00.000Z', eleven)).toBe(true);
        expect(await storage.keys.markSeenInClear('key_none', eleven, ten)).toBe(false);
      });
    });

    describe('checks', () => {
      it('come back as they were appended, nulls and all', async () => {
        const check = checkOf('chk_1', {
          facts: { 'mx.outcome': 'a "b"\n', 'domain.has_mx': null, 'entropy.score': 2.7255, 'x.y': false },
          sources: { tld: 'tld-figures@2025-10-31' },
          address_hmac: 'ab'.repeat(32),
          address: 'Ünï@example.org',
          domain: null,
          challenger: '{"action":"BLOCK"}',
          shadow_rules: '{"some_rule":"0123abcd"}',
        });
        await storage.checks.append(check);
        expect(await storage.checks.find('chk_1')).toEqual(rowOf(check));
        expect(await storage.checks.find('chk_none')).toBeUndefined();
        expect(await storage.checks.find('chk_1\0')).toBeUndefined();
      });

      it('are readable by every other opening before append resolves', async () => {
        const other = await open();
        await Promise.all(
          Array.from({ length: 50 }, async (_, index) => {
            await storage.checks.append(checkOf(`chk_${index}`));
            expect(await other.checks.find(`chk_${index}`)).toBeDefined();
          }),
        );
      });

      it('refuse a row whose id exists, and record its neighbours', async () => {
        await storage.checks.append(checkOf('chk_1', { risk_score: 1 }));
        const results = await Promise.allSettled(
          ['chk_0', 'chk_1', 'chk_2'].map((id) => storage.checks.append(checkOf(id, { risk_score: 99 }))),
        );
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect((await storage.checks.find('chk_1'))?.risk_score).toBe(1);
        expect(await storage.checks.find('chk_2')).toBeDefined();
      });

      it('of a person are forgotten, however many, and nobody else’s', async () => {
        const mine = Array.from({ length: 2_500 }, (_, index) =>
          storage.checks.append(checkOf(`chk_mine_${index}`, { address_hmac: 'aa' })),
        );
        await Promise.all([...mine, storage.checks.append(checkOf('chk_other', { address_hmac: 'bb' }))]);
        await storage.checks.append(checkOf('chk_nobody'));
        expect(await storage.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 2_500, labels: 0 });
        expect(await storage.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 0, labels: 0 });
        expect(await storage.checks.find('chk_mine_0')).toBeUndefined();
        expect(await storage.checks.find('chk_other')).toBeDefined();
        expect(await storage.checks.find('chk_nobody')).toBeDefined();
      });

      it('that were answered but not yet committed are forgotten too', async () => {
        const quick = await open('async');
        await quick.checks.append(checkOf('chk_1', { address_hmac: 'aa' }));
        expect(await quick.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 1, labels: 0 });
        expect(await quick.checks.find('chk_1')).toBeUndefined();
      });

      it('older than an instant are deleted; one of that very instant stays', async () => {
        const instant = '2026-11-20T10:00:00.000Z';
        await storage.checks.append(checkOf('chk_old', { created_at: '2026-11-20T09:59:59.999Z' }));
        await storage.checks.append(checkOf('chk_edge', { created_at: instant }));
        expect(await storage.checks.deleteBefore(instant)).toBe(1);
        expect(await storage.checks.find('chk_old')).toBeUndefined();
        expect(await storage.checks.find('chk_edge')).toBeDefined();
      });

      it('tell how many there are at most, the newest, and how many are older than an instant, up to a limit', async () => {
        expect(await storage.checks.extent()).toEqual({ atMost: 0, newest: undefined });
        for (const day of ['01', '02', '03', '04']) {
          await storage.checks.append(checkOf(`chk_${day}`, { created_at: `2026-11-${day}T10:00:00.000Z` }));
        }
        await storage.checks.deleteBefore('2026-11-02T00:00:00.000Z');
        const { atMost, newest } = await storage.checks.extent();
        expect(newest).toBe('2026-11-04T10:00:00.000Z');
        expect(atMost).toBeGreaterThanOrEqual(3);
        const older = (instant: string, limit: number) => storage.checks.countBefore(instant, limit);
        expect(await older('2026-11-04T10:00:00.000Z', 10)).toBe(2);
        expect(await older('2026-11-04T10:00:00.001Z', 2)).toBe(2);
        expect(await older('2026-11-02T10:00:00.000Z', 10)).toBe(0);
      });

      it('are deleted no further than the batch under way once whoever asked has given up', async () => {
        const days = ['2026-01-01', '2026-02-01'];
        const old = Array.from({ length: 2_000 }, (_, index) =>
          storage.checks.append(
            checkOf(`chk_old_${index}`, { created_at: `${days[index % 2]}T00:00:00.000Z` }),
          ),
        );
        await Promise.all(old);
        const deleted = await storage.checks.deleteBefore('2026-11-01T00:00:00.000Z', AbortSignal.abort());
        expect(deleted).toBeGreaterThan(0);
        expect(await storage.checks.count({ accountId: 'acc_1' })).toBe(2_000 - deleted);
        expect(deleted).toBeLessThan(2_000);
      });

      it('appended while thousands are deleted are recorded', async () => {
        const old = Array.from({ length: 3_000 }, (_, index) =>
          storage.checks.append(checkOf(`chk_old_${index}`, { created_at: '2026-01-01T00:00:00.000Z' })),
        );
        await Promise.all(old);
        const deletion = storage.checks.deleteBefore('2026-11-01T00:00:00.000Z');
        await storage.checks.append(checkOf('chk_new'));
        expect(await deletion).toBe(3_000);
        expect(await storage.checks.find('chk_new')).toBeDefined();
      });
    });

    describe('recorded checks, page by page', () => {
      const ids = async (selection: CheckSelection, from: Storage = storage) => {
        const found: string[] = [];
        for await (const page of from.checks.pages(selection)) found.push(...page.map(({ id }) => id));
        return found;
      };

      it('come by their time, those of one instant by their ids, each once, over more than one page', async () => {
        const rows = Array.from({ length: 4_500 }, (_, index) =>
          checkOf(`chk_${(index * 7_919) % 4_500}`, {
            created_at: `2026-11-20T10:00:00.${String(index % 7).padStart(3, '0')}Z`,
          }),
        );
        await Promise.all(rows.map((row) => storage.checks.append(row)));
        const wanted = rows
          .map(({ created_at, id }) => `${created_at} ${id}`)
          .toSorted()
          .map((place) => place.split(' ')[1]);
        expect(await ids({})).toEqual(wanted);
        expect(await storage.checks.count({})).toBe(4_500);
      });

      it('hold what a replay needs', async () => {
        await storage.checks.append(checkOf('chk_1', { address_hmac: 'ab' }));
        for await (const [check] of storage.checks.pages({})) {
          expect(check).toMatchObject({
            id: 'chk_1',
            created_at: '2026-11-20T10:00:00.000Z',
            domain: 'example.org',
            address_hmac: 'ab',
            action: 'ALLOW',
            risk_score: 12,
            risk_level: 'low',
            ruleset: '0123456789abcdef',
          });
          expect(JSON.parse(check?.facts ?? '')).toEqual({ 'domain.has_mx': null });
        }
      });

      it('are those of live keys, of one account, from one instant to before another', async () => {
        const at = (hour: number) => `2026-11-20T${hour}:00:00.000Z`;
        for (const hour of [10, 11, 12, 13])
          await storage.checks.append(checkOf(`chk_${hour}`, { created_at: at(hour) }));
        await storage.checks.append(checkOf('chk_test', { environment: 'test', created_at: at(11) }));
        await storage.checks.append(checkOf('chk_other', { account_id: 'acc_2', created_at: at(11) }));
        const selection = { accountId: 'acc_1', since: at(11), until: at(13) };
        expect(await ids(selection)).toEqual(['chk_11', 'chk_12']);
        expect(await storage.checks.count(selection)).toBe(2);
        expect(await ids({ accountId: 'acc_2' })).toEqual(['chk_other']);
        expect(await ids({ since: at(14) })).toEqual([]);
      });

      it('are the newest of a selection where only so many are wanted', async () => {
        const at = (hour: number) => `2026-11-20T${hour}:00:00.000Z`;
        for (const hour of [10, 11, 12, 13])
          await storage.checks.append(checkOf(`chk_${hour}`, { created_at: at(hour) }));
        await storage.checks.append(checkOf('chk_test', { environment: 'test', created_at: at(13) }));
        expect(await ids({ newest: 0 })).toEqual([]);
        expect(await ids({ newest: 2 })).toEqual(['chk_12', 'chk_13']);
        expect(await ids({ newest: 9 })).toEqual(['chk_10', 'chk_11', 'chk_12', 'chk_13']);
        expect(await ids({ newest: 2, since: at(13) })).toEqual(['chk_13']);
        expect(await ids({ newest: 2, until: at(13) })).toEqual(['chk_11', 'chk_12']);
        expect(await ids({ newest: 2, since: at(14) })).toEqual([]);
        expect(await storage.checks.count({ newest: 2 })).toBe(2);
        expect(await storage.checks.count({ newest: 9 })).toBe(4);
      });

      it('are those that were there when the first was asked for', async () => {
        await storage.checks.append(checkOf('chk_1'));
        const found: string[] = [];
        for await (const page of storage.checks.pages({})) {
          found.push(...page.map(({ id }) => id));
          await storage.checks.append(checkOf(`chk_later_${found.length}`));
        }
        expect(found).toEqual(['chk_1']);
      });

      it('go on while others are deleted', async () => {
        const all = Array.from({ length: 3_000 }, (_, index) =>
          checkOf(`chk_${10_000 + index}`, {
            created_at: `2026-11-${index < 2_500 ? 10 : 20}T10:00:00.000Z`,
          }),
        );
        await Promise.all(all.map((row) => storage.checks.append(row)));
        const pages: string[][] = [];
        for await (const page of storage.checks.pages({})) {
          pages.push(page.map(({ id }) => id));
          await storage.checks.deleteBefore('2026-11-20T00:00:00.000Z');
        }
        const [first = [], ...others] = pages;
        expect(first.length).toBeLessThan(2_500);
        expect(first).toEqual(all.slice(0, first.length).map(({ id }) => id));
        expect(others.flat()).toEqual(all.slice(2_500).map(({ id }) => id));
      });
    });

    describe('checks beside which something was tried', () => {
      const tried = async (selection: CheckSelection = {}) => {
        const found: TriedCheck[] = [];
        for await (const page of storage.checks.triedPages(selection)) found.push(...page);
        return found;
      };
      const challenger = '{"ruleset":"feedfeedfeedfeed"}';
      const shadow_rules = '{"some_rule":"0123abcd"}';

      it('come alone, page by page, with what was tried', async () => {
        const rows = Array.from({ length: 5_000 }, (_, index) =>
          checkOf(`chk_${10_000 + index}`, index % 2 === 0 ? { challenger } : {}),
        );
        await Promise.all(rows.map((row) => storage.checks.append(row)));
        const found = await tried();
        expect(found.map(({ id }) => id)).toEqual(rows.flatMap((row) => (row.challenger ? [row.id] : [])));
        expect(found[0]).toMatchObject({
          created_at: '2026-11-20T10:00:00.000Z',
          domain: 'example.org',
          action: 'ALLOW',
          risk_score: 12,
          ruleset: '0123456789abcdef',
          challenger,
          shadow_rules: null,
          facts: null,
          ledger: null,
          label: null,
        });
      });

      it('have the label that was given to them, or to their person', async () => {
        await storage.accounts.create(accountOf('acc_1'));
        await storage.checks.append(checkOf('chk_1', { challenger, address_hmac: 'aa' }));
        await storage.checks.append(checkOf('chk_2', { challenger, address_hmac: 'aa' }));
        await storage.checks.append(checkOf('chk_3', { challenger }));
        const given = { source: 'test', author: null, labelledAt: '2026-11-21T00:00:00.000Z' };
        await storage.labels.put(
          'acc_1',
          [
            { subject: { checkId: 'chk_1' }, label: 'good', ...given },
            { subject: { addressHmac: 'aa' }, label: 'bad', ...given },
          ],
          given.labelledAt,
        );
        expect((await tried()).map(({ label }) => label)).toEqual(['good', 'bad', null]);
      });

      it('bring ledger and facts where a shadow rule fired, and only there', async () => {
        const quiet = '[{"kind":"level","points":0}]';
        const fired = '[{"kind":"shadow","points":0,"id":"some_rule","would_add":10,"saw":{}}]';
        await storage.checks.append(checkOf('chk_quiet', { shadow_rules, ledger: quiet }));
        await storage.checks.append(checkOf('chk_fired', { shadow_rules, ledger: fired }));
        const [second, first] = await tried();
        expect(first).toMatchObject({ id: 'chk_quiet', shadow_rules, ledger: null, facts: null });
        expect(second).toMatchObject({ id: 'chk_fired', shadow_rules, ledger: fired });
        const kept = second && { ...second, facts: String(second.facts) };
        expect(JSON.parse(kept?.facts ?? '')).toEqual({ 'domain.has_mx': null });
      });

      it('are those of live keys, of one account, from one instant to before another', async () => {
        const at = (hour: number) => `2026-11-20T${hour}:00:00.000Z`;
        for (const hour of [10, 11, 12])
          await storage.checks.append(checkOf(`chk_${hour}`, { challenger, created_at: at(hour) }));
        await storage.checks.append(checkOf('chk_test', { challenger, environment: 'test' }));
        await storage.checks.append(checkOf('chk_other', { challenger, account_id: 'acc_2' }));
        const selection = { accountId: 'acc_1', since: at(11), until: at(12) };
        expect((await tried(selection)).map(({ id }) => id)).toEqual(['chk_11']);
        expect(await tried()).toHaveLength(4);
      });
    });
    describeLabels(() => storage, open);

    describe('usage', () => {
      const used = (account = 'acc_1', month = '2026-11') => storage.usage.read(account, month);
      const at = (id: string, created_at: string, more = {}) =>
        storage.checks.append(checkOf(id, { account_id: 'acc_1', environment: 'live', created_at, ...more }));

      it('counts live checks by account and by the month they were created in', async () => {
        expect(await used()).toBe(0);
        await at('chk_1', '2026-11-01T00:00:00.000Z');
        await at('chk_2', '2026-11-30T23:59:59.999Z');
        await at('chk_3', '2026-12-01T00:00:00.000Z');
        await at('chk_4', '2026-11-15T00:00:00.000Z', { account_id: 'acc_2' });
        await at('chk_5', '2026-11-15T00:00:00.000Z', { environment: 'test' });
        expect([await used(), await used('acc_1', '2026-12'), await used('acc_2')]).toEqual([2, 1, 1]);
      });

      it('tells which accounts have used at least so many of a month', async () => {
        await storage.accounts.create(accountOf('acc_1'));
        await storage.accounts.create(accountOf('acc_2', { name: 'Second' }));
        await at('chk_1', '2026-11-01T00:00:00.000Z');
        await at('chk_2', '2026-11-02T00:00:00.000Z', { account_id: 'acc_2' });
        await at('chk_3', '2026-11-03T00:00:00.000Z', { account_id: 'acc_2' });
        expect(await storage.usage.atLeast(2, '2026-11')).toEqual([
          { ...accountOf('acc_2', { name: 'Second' }), checks: 2 },
        ]);
        expect(await storage.usage.atLeast(1, '2026-11')).toHaveLength(2);
        expect(await storage.usage.atLeast(1, '2026-12')).toEqual([]);
      });

      it('counts nothing for a row that was refused', async () => {
        await at('chk_1', '2026-11-01T00:00:00.000Z');
        await expect(at('chk_1', '2026-11-01T00:00:00.000Z')).rejects.toThrow();
        expect(await used()).toBe(1);
      });

      it('remembers what retention and a forgotten person took away', async () => {
        await at('chk_1', '2026-11-01T00:00:00.000Z');
        await at('chk_2', '2026-11-02T00:00:00.000Z', { address_hmac: 'aa' });
        await storage.checks.deleteBefore('2026-11-02T00:00:00.000Z');
        await storage.checks.forget({ addressHmac: 'aa' });
        expect(await used()).toBe(2);
      });
    });

    it('remembers what the service keeps about itself, also when it is opened anew', async () => {
      expect(await storage.state.find('hmac_key')).toBeUndefined();
      await storage.state.keep('hmac_key', 'one');
      await storage.state.keep('session_key', 'other');
      await storage.state.keep('hmac_key', 'two');
      const opened = await open();
      expect(await opened.state.find('hmac_key')).toBe('two');
      expect(await opened.state.find('session_key')).toBe('other');
    });

    describe('values of providers', () => {
      const find = (key: string, atMs = 0, provider = 'one') =>
        storage.providerValues.find(provider, key, atMs);
      const keep = (key: string, value: string, endsAtMs = 1_000, atMs = 0, provider = 'one') =>
        storage.providerValues.keep(provider, key, value, endsAtMs, atMs);

      it('are found by provider and key, and replaced with their end', async () => {
        expect(await find('a')).toBeUndefined();
        await keep('a', 'first', 1_000);
        await keep('a', 'of another', 1_000, 0, 'two');
        expect(await Promise.all([find('a'), find('b'), find('a', 0, 'two')])).toEqual([
          'first',
          undefined,
          'of another',
        ]);
        await keep('a', 'second', 3_000);
        expect(await find('a', 2_999)).toBe('second');
      });

      it('end at their instant, and are deleted when anything is kept after it', async () => {
        await keep('a', 'short', 1_000);
        expect(await Promise.all([find('a', 999), find('a', 1_000)])).toEqual(['short', undefined]);
        await keep('b', 'later', 9_000, 1_000, 'two');
        // Gone for earlier instants too: the row itself is.
        expect(await find('a', 0)).toBeUndefined();
        expect(await find('b', 1_000, 'two')).toBe('later');
      });

      it('are there after a restart', async () => {
        await keep('a', 'lasting');
        await storage.close();
        expect(await (await open()).providerValues.find('one', 'a', 0)).toBe('lasting');
      });

      it('cannot be had or kept once the storage is closed', async () => {
        await storage.close();
        await expect(find('a')).rejects.toMatchObject({ code: 'unavailable' });
        await expect(keep('a', 'late')).rejects.toMatchObject({ code: 'unavailable' });
      });
    });

    it('keeps everything when it is closed and opened again', async () => {
      await storage.accounts.create(accountOf('acc_1'));
      await storage.keys.create(keyOf(1));
      await storage.checks.append(checkOf('chk_1'));
      await storage.close();
      const again = await open();
      expect(await again.accounts.list()).toHaveLength(1);
      expect((await again.keys.findByHash(hashOf(1)))?.key.id).toBe('key_1');
      expect(await again.checks.find('chk_1')).toEqual(rowOf(checkOf('chk_1')));
    });

    it('commits what is queued before it closes', async () => {
      const quick = await open('async');
      for (let index = 0; index < 300; index += 1) await quick.checks.append(checkOf(`chk_${index}`));
      await quick.close();
      expect(await storage.checks.find('chk_0')).toBeDefined();
      expect(await storage.checks.find('chk_299')).toBeDefined();
    });

    it('takes no check once it is closed', async () => {
      await storage.close();
      await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('answers a ping while it is open, and throws after', async () => {
      await storage.ping();
      await storage.close();
      await expect(storage.ping()).rejects.toThrow();
    });

    it('closes once, however often it is asked', async () => {
      await Promise.all([storage.close(), storage.close()]);
      await storage.close();
    });
  });
}
