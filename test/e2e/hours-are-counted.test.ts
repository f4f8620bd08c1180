import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { aWorldWith } from '../cli/recorded-world.ts';
import { spawnPostern } from '../support/postern-process.ts';

it('a service counts the hours that are over by itself, within seconds of its start, and ends with 0 meanwhile', async () => {
  const at = new Date(Date.now() - 5 * 3_600_000).toISOString();
  const world = await aWorldWith({ id: 'chk_1', created_at: at }, { id: 'chk_2', created_at: at });
  const dataDir = join(world.cwd, 'data');
  const postern = spawnPostern({ dataDir });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  await postern.ready;
  const database = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  onTestFinished(() => database.close());
  const hours = database.prepare('SELECT hour, checks FROM check_hours');
  await expect.poll(() => hours.all()).toEqual([{ hour: at.slice(0, 13), checks: 2 }]);
  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });
});
