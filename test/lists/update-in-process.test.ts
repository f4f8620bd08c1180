import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startChildProgram } from '../../src/jobs/child-program.ts';
import { ListStore } from '../../src/lists/list-store.ts';
import { type UpdateOrder, updateInProcess } from '../../src/lists/update-in-process.ts';
import { plainList, startListServer } from '../support/list-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

vi.mock(import('../../src/jobs/child-program.ts'), { spy: true });

const never = new AbortController().signal;

async function setUp() {
  const server = await startListServer(plainList(['a.example', 'b.example']));
  const dataDir = temporaryDirectory();
  const env = { POSTERN__LISTS__ALLOW_PRIVATE_ADDRESSES: 'true' };
  const { config } = await loadConfig({ dataDir, files: [], env, cwd: dataDir });
  const order: UpdateOrder = { url: server.url, config, allowed: [] };
  return { server, dataDir, order, state: () => new ListStore(dataDir).read() };
}

describe('an update in a process of its own', () => {
  it('is the same as one in this one', async () => {
    const { order, server, state } = await setUp();
    expect(await updateInProcess(order, never)).toMatchObject({ result: 'taken', entries: 2 });
    expect((await state()).lists[server.url]?.snapshots).toHaveLength(1);
  });

  it('is told what the operator allows', async () => {
    const { order } = await setUp();
    const allowed = [{ value: 'b.example', reason: 'Ours.', owner: 'risk' }];
    expect(await updateInProcess({ ...order, allowed }, never)).toMatchObject({
      result: 'refused',
      reason: 'it names what must never be listed: b.example (your allow list)',
    });
  });

  it('rejects when the data directory cannot be used', async () => {
    const { order, dataDir } = await setUp();
    writeFileSync(join(dataDir, 'lists'), '');
    await expect(updateInProcess(order, never)).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  it('goes on when its whole group of processes is told to end, or to reload', async () => {
    const { order, server, state } = await setUp();
    const answer = server.answer;
    server.answer = (...request) => {
      const child = vi.mocked(startChildProgram).mock.results.at(-1)?.value as ChildProcess;
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) child.kill(signal);
      answer(...request);
    };
    expect(await updateInProcess(order, never)).toMatchObject({ result: 'taken' });
    expect((await state()).lists[server.url]?.snapshots).toHaveLength(1);
  });

  it('can be broken off, before and while it waits for the list, and changes nothing then', async () => {
    const { order, server, state } = await setUp();
    await expect(updateInProcess(order, AbortSignal.abort())).rejects.toThrow();
    const stopping = new AbortController();
    server.answer = () => stopping.abort();
    await expect(updateInProcess(order, stopping.signal)).rejects.toThrow('before it answered');
    expect(await state()).toEqual({ format: 1, lists: {} });
  });
});
