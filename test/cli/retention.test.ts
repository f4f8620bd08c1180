import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorldWith } from './recorded-world.ts';

const DAYS_AGO = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

it('shows which erasure waits and why, and that it runs once confirmed', async () => {
  const world = await aWorldWith(
    { id: 'chk_old', created_at: DAYS_AGO(200) },
    { id: 'chk_new', created_at: DAYS_AGO(5) },
  );
  const { stdout } = await world.postern(['retention', 'status']);
  expect(stdout).toMatch(/^1 of about 2 records are due: created before .* \(90 days ago\)$/m);
  expect(stdout).toMatch(/5 days after the last pass or record .*run "postern retention confirm"/);

  const confirmed = await world.postern(['retention', 'confirm', '--json']);
  expect(confirmed.json()).toEqual({ before: expect.any(String), days: 90, due: 1, waits: null });
  expect((await world.postern(['retention', 'status', '--json'])).json()).toMatchObject({
    due: 1,
    waits: null,
  });
  expect((await world.postern(['retention', 'confirm'])).stdout).toContain('the next start at once');
});

it('reports that nothing waits where nothing is due, and confirms nothing then', async () => {
  const world = await aWorldWith({ id: 'chk_new', created_at: DAYS_AGO(5) });
  const { stdout } = await world.postern(['retention', 'status']);
  expect(stdout).toMatch(/^0 of about 1 records are due: .*\n$/);
  const confirmed = await world.postern(['retention', 'confirm']);
  expect(confirmed.stdout).toMatch(/nothing to confirm\n$/);

  const file = join(world.cwd, 'data/postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  await storage.checks.append(checkOf('chk_old', { created_at: DAYS_AGO(200) }));
  await storage.close();
  const { stdout: later } = await world.postern(['retention', 'status']);
  expect(later).toContain('run "postern retention confirm"');
});
