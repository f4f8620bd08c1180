import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import { type RevocationEntry, RevocationLog } from '../../src/storage/revocation-log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { addPerson, entryOf } from '../support/people.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { accountOf, checkOf, hashOf, keyOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-21T10:00:00.000Z';
const KEY: RevocationEntry = { at: AT, what: 'key_revoked', id: 'key_1' };

let folder: string;
let log: RevocationLog;
beforeEach(() => {
  folder = temporaryDirectory();
  log = new RevocationLog(folder);
});

const told = async () => (await log.read()).entries.filter(({ what }) => !what.startsWith('log_'));

describe('the file of the log', () => {
  it('is readable by its owner only, and records when it begins', async () => {
    await log.append(KEY);
    expect(statSync(log.file).mode & 0o777).toBe(0o600);
    const [begun, ...others] = readFileSync(log.file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(begun).toEqual({ at: expect.any(String), what: 'log_begun' });
    expect(others).toEqual([KEY]);
    expect((await log.read()).since).toBe(begun.at);
  });

  it('may end in half a line, which affects neither earlier nor later lines', async () => {
    await log.append(KEY);
    appendFileSync(log.file, '{"at":"2026-11-20T10:00');
    expect(await log.read()).toMatchObject({ damaged: 0 });
    expect(await told()).toEqual([KEY]);
    await log.append({ ...KEY, id: 'key_2' });
    expect(await told()).toEqual([KEY, { ...KEY, id: 'key_2' }]);
    expect(await log.read()).toMatchObject({ damaged: 0 });
    // Of the last line, only its end was lost.
    appendFileSync(log.file, JSON.stringify({ ...KEY, id: 'key_3' }));
    await log.append({ ...KEY, id: 'key_4' });
    expect((await told()).map(({ id }) => id)).toEqual(['key_1', 'key_2', 'key_3', 'key_4']);
    expect(await log.read()).toMatchObject({ damaged: 0 });
  });

  it('may end in half a line before it is put aside', async () => {
    const long = new Date(Date.now() - 401 * 86_400_000).toISOString();
    writeFileSync(log.file, `{"at":"${long}","what":"log_begun"}\n{"at":"2026-11-20T10:00`);
    await log.append(KEY);
    expect(await told()).toEqual([KEY]);
    expect(await log.read()).toMatchObject({ damaged: 0 });
  });

  it('reports how many lines cannot be read', async () => {
    await log.append(KEY);
    appendFileSync(log.file, '\0\0\0\n{"at":"2027","what":"something newer"}\n');
    await log.append({ ...KEY, id: 'key_2' });
    expect(await log.read()).toMatchObject({ damaged: 2 });
    expect(await told()).toHaveLength(2);
  });

  it('is rotated after 400 days, and is still read', async () => {
    const long = new Date(Date.now() - 401 * 86_400_000).toISOString();
    writeFileSync(log.file, `{"at":"${long}","what":"log_begun"}\n${JSON.stringify(KEY)}`);
    await log.append({ ...KEY, id: 'key_2' });
    expect(readFileSync(log.file, 'utf8')).not.toContain('key_1');
    expect(await told()).toEqual([KEY, { ...KEY, id: 'key_2' }]);
    expect((await log.read()).since).toBe(long);
  });

  it('keeps all concurrent entries, also while it is rotated', async () => {
    const long = new Date(Date.now() - 401 * 86_400_000).toISOString();
    writeFileSync(log.file, `{"at":"${long}","what":"log_begun"}\n`);
    await log.write([{ ...KEY, id: 'key_of_before' }]);
    const ids = Array.from({ length: 50 }, (_, number) => `key_${number}`);
    await Promise.all(ids.map((id) => new RevocationLog(folder).append({ ...KEY, id })));
    expect((await told()).map((entry) => 'id' in entry && entry.id).sort()).toEqual(
      ['key_of_before', ...ids].sort(),
    );
  });
});

describe('the log of revocations', () => {
  let storage: Storage;
  beforeEach(async () => {
    const file = join(folder, 'postern.db');
    storage = await openSqliteStorage({ file, durability: 'commit', revocations: log });
    onTestFinished(() => storage.close());
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));
    await addPerson(storage, 'ada', 'owner');
    await addPerson(storage, 'grace', 'analyst');
  });

  it('receives keys that are revoked or expire', async () => {
    await storage.keys.rotate('key_1', LATER, keyOf(2));
    await storage.keys.revoke('key_2', AT);
    expect(await told()).toEqual([
      { at: AT, what: 'key_ends', id: 'key_1', until: LATER },
      { at: AT, what: 'key_revoked', id: 'key_2' },
    ]);
  });

  it('receives people who are removed, and changes of their roles', async () => {
    const { people } = storage.peopleStorage;
    const memberships = [{ accountId: 'acc_1', role: 'viewer' }] as const;
    await people.setRoles(
      'per_grace',
      { operatorRole: null, memberships },
      entryOf('act_1', 'person.roles_changed'),
    );
    await people.remove('per_grace', entryOf('act_2', 'person.removed'));
    const roles = { operator_role: null, memberships: [{ account_id: 'acc_1', role: 'viewer' }] };
    expect(await told()).toEqual([
      { at: AT, what: 'roles_changed', id: 'per_grace', roles },
      { at: AT, what: 'person_removed', id: 'per_grace' },
    ]);
  });

  it('receives passwords that are set by a link', async () => {
    const { links } = storage.peopleStorage;
    const link = {
      ...({ id: 'lnk_1', purpose: 'password', email: 'ada@firm.example', personId: 'per_ada' } as const),
      ...{ operatorRole: null, membership: null, createdBy: null, createdAt: AT, expiresAt: '9999' },
    };
    await links.create({ ...link, hash: hashOf(1) }, entryOf('act_1', 'link.made'));
    await links.resetPassword(link, 'another', entryOf('act_2', 'person.password_reset', LATER));
    expect(await told()).toEqual([{ at: LATER, what: 'password_changed', id: 'per_ada' }]);
  });

  it('receives people who are erased only by their hash, also where no record is left', async () => {
    await storage.checks.append(checkOf('chk_1', { address: 'jane@example.org', address_hmac: 'aa' }));
    await storage.checks.forget({ addressHmac: 'aa' });
    await storage.checks.forget({ addressHmac: 'bb' });
    const at = expect.any(String);
    expect(await told()).toEqual([
      { at, what: 'person_erased', id: 'aa' },
      { at, what: 'person_erased', id: 'bb' },
    ]);
    expect(readFileSync(log.file, 'utf8')).not.toContain('jane');
  });

  it('receives nothing for a change that was not made', async () => {
    const { people } = storage.peopleStorage;
    expect(await storage.keys.revoke('key_none', AT)).toBe(false);
    expect(await storage.keys.rotate('key_none', LATER, keyOf(2))).toBe(false);
    expect(await people.remove('per_ada', entryOf('act_1', 'person.removed'))).toBe(false);
    const none = { operatorRole: null, memberships: [] };
    expect(await people.setRoles('per_ada', none, entryOf('act_1', 'person.roles_changed'))).toBe(false);
    expect(await told()).toEqual([]);
  });

  it('is required for a change: where it cannot be written, nothing changes, and the file is named', async () => {
    mkdirSync(log.file);
    const revoking = storage.keys.revoke('key_1', AT);
    await expect(revoking).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining(`${log.file} cannot be written: EISDIR`) },
    });
    expect((await storage.keys.find('key_1'))?.revokedAt).toBeNull();
    await storage.checks.append(checkOf('chk_1', { address_hmac: 'aa' }));
    await expect(storage.checks.forget({ addressHmac: 'aa' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await storage.checks.find('chk_1')).toBeDefined();
  });
});
