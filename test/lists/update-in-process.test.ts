import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { inProcess, type ListUpdateOrder } from '../../src/lists/update-in-process.ts';
import { openPostgresListStore } from '../../src/storage/postgres/postgres-records.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { plainList, startListServer } from '../support/list-server.ts';
import { describePostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

vi.mock(import('node:child_process'), { spy: true });

const never = new AbortController().signal;

async function setUp(database?: string) {
  const server = await startListServer(plainList(['a.example', 'b.example']));
  const dataDir = temporaryDirectory();
  const env = {
    POSTERN__LISTS__ALLOW_PRIVATE_ADDRESSES: 'true',
    ...(database !== undefined && { POSTERN__STORAGE__URL: database }),
  };
  const { config } = await loadConfig({ dataDir, files: [], env, cwd: dataDir });
  const order: ListUpdateOrder = { url: server.url, allowed: [] };
  const update = (signal = never, more: Partial<ListUpdateOrder> = {}) =>
    inProcess('update', { ...order, ...more }, config, signal);
  return { server, dataDir, update, state: () => new DirectoryListStore(dataDir).read() };
}

describe('an update in a child process', () => {
  it('has the same result as one in this process', async () => {
    const { update, server, state } = await setUp();
    expect(await update()).toMatchObject({ result: 'taken', entries: 2 });
    expect((await state()).lists[server.url]?.snapshots).toHaveLength(1);
  });

  it('uses what the operator allows', async () => {
    const { update } = await setUp();
    const allowed = [{ value: 'b.example', reason: 'Ours.', owner: 'risk' }];
    expect(await update(never, { allowed })).toMatchObject({
      result: 'refused',
      reason: 'it names what must never be listed: b.example (your allow list)',
    });
  });

  it('rejects when the data directory cannot be used', async () => {
    const { update, dataDir } = await setUp();
    writeFileSync(join(dataDir, 'lists'), '');
    await expect(update()).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  describePostgres('on a server', (database) => {
    it('writes the list into the database that instances share', async () => {
      await (await openPostgresStorage({ url: database.url, durability: 'commit' })).close();
      const { update, server } = await setUp(database.url);
      expect(await update()).toMatchObject({ result: 'taken', entries: 2 });
      await using kept = openPostgresListStore(database.url);
      expect((await kept.store.read()).lists[server.url]?.snapshots).toMatchObject([{ entries: 2 }]);
    });
  });

  it('continues when its process group receives a signal to end, or to reload', async () => {
    const { update, server, state } = await setUp();
    const answer = server.answer;
    server.answer = (...request) => {
      const child = vi.mocked(fork).mock.results.at(-1)?.value as ChildProcess;
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) child.kill(signal);
      answer(...request);
    };
    expect(await update()).toMatchObject({ result: 'taken' });
    expect((await state()).lists[server.url]?.snapshots).toHaveLength(1);
  });

  it('can be cancelled, before and while it waits for the list, and then changes nothing', async () => {
    const { update, server, state } = await setUp();
    await expect(update(AbortSignal.abort())).rejects.toThrow('aborted');
    const stopping = new AbortController();
    server.answer = () => stopping.abort();
    await expect(update(stopping.signal)).rejects.toThrow('aborted');
    expect(await state()).toEqual({ format: 1, lists: {} });
  });
});
