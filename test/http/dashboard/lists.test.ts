import { createSecretKey } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Act } from '../../../src/accounts/audit-trail.ts';
import type { Config } from '../../../src/app/config/config.ts';
import { AppError } from '../../../src/errors.ts';
import { LISTS_AREA } from '../../../src/http/dashboard/areas/lists.route.ts';
import { AddressPrivacy } from '../../../src/privacy/address-privacy.ts';
import { RuleEditing } from '../../../src/rule-lab/editing/rule-editing.ts';
import { queueRuleJobs } from '../../../src/rule-lab/editing/rule-jobs.ts';
import { someRuleEditing } from '../../rule-lab/editing/some-rule-editing.ts';
import { seen } from '../../rule-lab/editing/some-rule-jobs.ts';
import { aProgram } from '../../support/a-program.ts';
import { serveArea } from './serve-area.ts';

const SNAPSHOT = {
  ...{ sha256: 'aa', download_sha256: 'bb', entries: 3, gone: 1 },
  ...{ taken_at: '2026-11-20T10:00:00.000Z', confirmed_at: '2026-11-20T11:00:00.000Z' },
};
const STATUS = {
  ...{ list: 'lists_example_1', url: 'https://lists.example/a', state: 'fresh', entries: 3, gone: 1 },
  ...{ sha256: 'aa', taken_at: SNAPSHOT.taken_at, confirmed_at: SNAPSHOT.confirmed_at, age_hours: 1 },
  ...{ left_out: [], next_attempt_at: null, earlier_snapshots: 0 },
  last_attempt: { at: SNAPSHOT.taken_at, result: 'taken', reason: null },
} as const;

const PRIVACY = new AddressPrivacy('hmac', createSecretKey(Buffer.from('a key of a test')));

async function start() {
  const world = await someRuleEditing();
  const record = vi.fn(async (_act: Act) => undefined);
  const refresher = {
    read: async () => [{ status: STATUS, snapshots: [SNAPSHOT] }],
    updateNow: vi.fn(async (id: string) => {
      if (id !== STATUS.list) throw new AppError('not_found');
      return { url: '', id, result: 'refused', reason: 'too much changed', entries: 3, added: 0, removed: 0 };
    }),
    preview: vi.fn(async (_id: string, accepted: boolean) => ({
      ...{ result: accepted ? 'taken' : 'refused', reason: accepted ? null : 'too much changed' },
      ...{ entries: 1, added: 1, removed: 3, download: accepted ? 'dd' : null },
      snapshot: accepted
        ? { url: STATUS.url, kept: { ...SNAPSHOT, entries: 1 }, text: 'x.org\t20000\n' }
        : null,
    })),
    snapshotBefore: vi.fn(async () => ({
      ...{
        ok: true,
        pin: 'now.before',
        snapshot: { url: STATUS.url, kept: SNAPSHOT, text: 'y.org\t20000\n' },
      },
    })),
    rollBack: vi.fn(async () => ({ ok: true, from: { ...SNAPSHOT, sha256: 'cc' }, to: SNAPSHOT })),
  };
  const prepared = {
    provider: { id: 'free_provider' },
    lists: [{ name: 'free.txt', date: '2026-11-10', entries: 9 }],
  };
  const policies = { current: { providers: { byId: new Map([['free_provider', prepared]]) } } };
  const services = {
    editing: world.workbench,
    refresher,
    policies,
    clock: world.clock,
    trail: { record },
    privacy: PRIVACY,
  };
  const ask = await serveArea(LISTS_AREA, services);
  const versions = async () =>
    Object.fromEntries(
      (await ask('analyst', 'GET', '/lists')).json.own.map((own: { list: string; version: string }) => [
        own.list,
        own.version,
      ]),
    );
  return { ...world, ruleVersions: world.versions, ask, record, refresher, versions };
}
const noted = (record: { mock: { calls: readonly (readonly [Act])[] } }) =>
  record.mock.calls.map(([{ person, action, subject }]) => [person?.id, action, subject]);

describe('the lists', () => {
  it('are shown with their ages, their snapshots and their entries', async () => {
    const { ask, write } = await start();
    write('deny.yaml', '- { value: bad.example, reason: A ring., owner: risk, expires: 2026-11-30 }\n');
    const { status, json } = await ask('analyst', 'GET', '/lists');
    expect(status).toBe(200);
    expect(json.named).toEqual([]);
    expect(json.downloads[0]).toMatchObject({ list: 'lists_example_1', name: 'a of lists.example' });
    expect(json.own).toMatchObject([
      { list: 'allow', file: 'allow.yaml', entries: [], faults: [] },
      {
        list: 'deny',
        entries: [
          { value: 'bad.example', reason: 'A ring.', owner: 'risk', expires: '2026-11-30', state: 'soon' },
        ],
      },
    ]);
    expect(json.downloads).toMatchObject([
      { list: 'lists_example_1', age_hours: 1, snapshots: [{ sha256: 'aa', entries: 3 }] },
    ]);
    expect(json.data).toEqual([
      {
        provider: 'free_provider',
        name: 'free.txt',
        version: null,
        date: '2026-11-10',
        age_days: 10,
        entries: 9,
      },
    ]);
  });

  it('add, change and remove entries, with an audit entry each and without the local part of an address', async () => {
    const { ask, versions, ruleVersions, read, inForce, record } = await start();
    const change = async (body: object) =>
      ask('analyst', 'POST', '/lists/deny/changes', { version: (await versions()).deny, change: body });
    const entry = { value: 'jane@bad.example', reason: 'A ring.', owner: 'risk' };
    expect((await change({ kind: 'add', entry })).json).toMatchObject({
      state: 'in_force',
      ruleset: inForce().hash,
      version: 2,
    });
    expect(await ruleVersions.last()).toMatchObject({ author: 'analyst@example.com' });
    await change({
      kind: 'replace',
      value: entry.value,
      entry: { ...entry, value: '.bad.example', expires: '2027-01-31' },
    });
    expect(read('deny.yaml')).toBe(
      '- value: .bad.example\n  reason: A ring.\n  owner: risk\n  expires: 2027-01-31\n',
    );
    expect((await change({ kind: 'remove', value: '.BAD.example' })).json).toMatchObject({
      state: 'in_force',
      version: 4,
    });
    expect(noted(record)).toEqual([
      ['analyst', 'list.entry_added', 'deny: …@bad.example'],
      ['analyst', 'list.entry_changed', 'deny: .bad.example'],
      ['analyst', 'list.entry_removed', 'deny: .BAD.example'],
    ]);
  });

  it('show the effect of a change on the recorded checks, and change nothing', async () => {
    const { ask, versions, read, record, storage } = await start();
    await storage.checks.append(seen('chk_1', { domain: 'bad.example' }));
    const version = (await versions()).deny;
    const entry = { value: 'bad.example', reason: 'A ring.', owner: 'risk' };
    const look = (body: object) => ask('analyst', 'POST', '/lists/deny/effect', { version, ...body });
    const { status, json } = await look({ change: { kind: 'add', entry } });
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ days: 30, checks: 1, of: 1, touched: 0 }),
    ]);
    expect((await look({ change: { kind: 'add', entry }, version: 'old' })).json.error.code).toBe(
      'list_changed',
    );
    expect((await look({ change: { kind: 'remove', value: 'bad.example' } })).status).toBe(400);
    expect((await ask('viewer', 'POST', '/lists/deny/effect', {})).status).toBe(403);
    expect(() => read('deny.yaml')).toThrow('ENOENT');
    expect(record).not.toHaveBeenCalled();
  });

  it('show the stored form of an entry, and the entry to use in place of a pattern', async () => {
    const { ask, versions } = await start();
    const add = async (value: string) =>
      ask('analyst', 'POST', '/lists/deny/changes', {
        ...{ version: (await versions()).deny },
        change: { kind: 'add', entry: { value, reason: 'r', owner: 'o' } },
      });
    expect((await add('Jane+spam@gmail.com')).status).toBe(200);
    const [, deny] = (await ask('analyst', 'GET', '/lists')).json.own;
    expect(deny.entries).toMatchObject([{ value: 'Jane+spam@gmail.com', stands_for: 'jane@gmail.com' }]);
    for (const [pattern, meant] of [
      ['*@x.org', 'x.org'],
      ['*@*.x.org', '.x.org'],
      ['joe+*@gmail.com', 'joe@gmail.com'],
    ] as const) {
      const { status, json } = await add(pattern);
      expect([status, json.error.details[0].message]).toEqual([
        400,
        expect.stringContaining(`did you mean "${meant}"?`),
      ]);
    }
  });

  it.each([
    ['another version', { version: 'old' }, 409, 'list_changed'],
    [
      'no reason',
      { change: { kind: 'add', entry: { value: 'x.org', reason: ' ', owner: 'o' } } },
      400,
      'invalid_request',
    ],
    [
      'a value that no list takes',
      { change: { kind: 'add', entry: { value: '*.x.org', reason: 'r', owner: 'o' } } },
      400,
      'invalid_request',
    ],
    [
      'a reason that turns the direction of what follows',
      { change: { kind: 'add', entry: { value: 'x.org', reason: 'a \u202egnir', owner: 'o' } } },
      400,
      'invalid_request',
    ],
    ['no such change', { change: { kind: 'forget', value: 'x.org' } }, 400, 'invalid_request'],
  ])('refuse a change with %s, and write no audit entry', async (_what, more, status, code) => {
    const { ask, versions, record } = await start();
    const sound = { version: (await versions()).deny, change: { kind: 'remove', value: 'x.org' } };
    const answer = await ask('owner', 'POST', '/lists/deny/changes', { ...sound, ...more });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(record).not.toHaveBeenCalled();
  });

  it('ask the client to try again when the process that reads them ends, and change nothing', async () => {
    const { workbench, ask, read, versions } = await start();
    const fallen = queueRuleJobs({
      ...{ config: {} as Config, providerOptions: {} },
      entry: aProgram(`if (m.job) process.kill(process.pid, 'SIGKILL');`),
    });
    onTestFinished(() => fallen.close());
    const asked = await serveArea(LISTS_AREA, {
      editing: new RuleEditing({ ...workbench.parts, jobs: fallen }),
    });
    const before = await versions();
    const change = { kind: 'add', entry: { value: 'x.org', reason: 'r', owner: 'o' } };
    for (const answer of [
      await asked('analyst', 'GET', '/lists'),
      await asked('analyst', 'POST', '/lists/deny/changes', { version: before.deny, change }),
    ]) {
      expect([answer.status, answer.json.error.code, answer.header('retry-after')]).toEqual([
        503,
        'busy',
        '2',
      ]);
    }
    expect(await versions()).toEqual(before);
    expect(() => read('deny.yaml')).toThrow('ENOENT');
    expect((await ask('analyst', 'GET', '/lists')).status).toBe(200);
  });

  it('that are downloaded are updated and rolled back by their ids', async () => {
    const { ask, refresher, record } = await start();
    const updated = await ask('analyst', 'POST', '/lists/downloads/lists_example_1/update', { accept: true });
    expect(updated.json).toMatchObject({ result: 'refused', reason: 'too much changed', entries: 3 });
    expect(refresher.updateNow).toHaveBeenCalledWith('lists_example_1', {
      accepted: true,
      expected: undefined,
    });
    const back = await ask('analyst', 'POST', '/lists/downloads/lists_example_1/rollback', {});
    expect(back.json).toMatchObject({ is_done: true, entries: 3, taken_at: SNAPSHOT.taken_at });
    expect((await ask('analyst', 'POST', '/lists/downloads/other/update', {})).status).toBe(404);
    expect(noted(record)).toEqual([
      ['analyst', 'list.updated', 'lists_example_1'],
      ['analyst', 'list.rolled_back', 'lists_example_1'],
    ]);
  });

  it('that are downloaded show the effect of an update or a rollback, and do nothing', async () => {
    const { ask, record, refresher } = await start();
    const look = async (body: object) =>
      (await ask('analyst', 'POST', '/lists/downloads/lists_example_1/effect', body)).json;
    expect(await look({ change: 'update' })).toMatchObject({
      ...{ result: 'refused', reason: 'too much changed', download: null, effect: null },
    });
    expect(await look({ change: 'update', accept: true })).toMatchObject({
      ...{ result: 'taken', added: 1, removed: 3, download: 'dd', effect: { checks: 0, touched: 0 } },
    });
    expect(await look({ change: 'rollback' })).toMatchObject({
      ...{ result: 'taken', entries: 3, download: 'now.before', effect: {} },
    });
    refresher.snapshotBefore.mockResolvedValueOnce({ ok: false, reason: 'there is none' } as never);
    expect(await look({ change: 'rollback' })).toMatchObject({ reason: 'there is none', effect: null });
    expect((await ask('viewer', 'POST', '/lists/downloads/x/effect', {})).status).toBe(403);
    expect(record).not.toHaveBeenCalled();
  });

  it('are restricted to operators', async () => {
    const { ask } = await start();
    expect((await ask('viewer', 'GET', '/lists')).status).toBe(403);
    expect((await ask('viewer', 'POST', '/lists/deny/changes', {})).status).toBe(403);
    expect(
      (
        await ask('analyst', 'POST', '/lists/maybe/changes', {
          version: '',
          change: { kind: 'remove', value: 'x' },
        })
      ).status,
    ).toBe(404);
  });
});
