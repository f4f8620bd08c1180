import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorld, type World } from './world.ts';

const RISKY_TLD = { 'domain.tld_risk_level': 'high' };
const SIGNUPS = 'email,label\nann@example.org,good\ninfo@mailinator.com,bad\n';

/** A world with a draft that blocks from 30, and these checks on record. */
async function aWorldWithDraft(checks = 2): Promise<World> {
  const world = aWorld();
  for (const name of readdirSync(join(world.cwd, 'rules')).filter((each) => each.endsWith('.yaml'))) {
    const text = world.read(`rules/${name}`);
    world.write(`draft/${name}`, text.replace('block_score: { value: 70', 'block_score: { value: 30'));
  }
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await Promise.all(
    Array.from({ length: checks }, (_, index) =>
      storage.checks.append(checkOf(`chk_${index}`, { facts: RISKY_TLD, domain: 'shop.example' })),
    ),
  );
  await storage.close();
  return world;
}

const backtest = (world: World, ...rest: readonly string[]) =>
  world.postern(['rules', 'backtest', 'draft', ...rest]);

describe('postern rules backtest --html', () => {
  it('writes the report as a page for its owner alone, and says where; the screen is as ever', async () => {
    const world = await aWorldWithDraft();
    const plain = await backtest(world);
    const { code, stdout, stderr } = await backtest(world, '--html', 'report.html');
    expect([code, stderr, stdout]).toEqual([0, 'the report is in report.html\n', plain.stdout]);
    const page = world.read('report.html');
    expect(page).toMatch(/^<!DOCTYPE html>/);
    expect(page).toContain('<title>Backtest: draft beside rules</title>');
    expect(page).toContain('shop.example');
    expect(statSync(join(world.cwd, 'report.html')).mode & 0o777).toBe(0o600);
  });

  it('writes the same octets each time, in place of what was there', async () => {
    const world = await aWorldWithDraft();
    world.write('report.html', 'old');
    await backtest(world, '--html', 'report.html');
    const first = world.read('report.html');
    await backtest(world, '--html', 'report.html', '--json');
    expect(world.read('report.html')).toBe(first);
    expect(first).not.toContain('old<');
  });

  it('writes it, with what --fail-on asked for, before it ends with 1', async () => {
    const world = await aWorldWithDraft();
    const { code } = await backtest(world, '--html', 'report.html', '--fail-on', 'flips > 0');
    expect(code).toBe(1);
    expect(world.read('report.html')).toMatch(/breached<\/strong> <code>--fail-on flips &gt; 0/);
  });

  it('takes labelled signups of a file as well', async () => {
    const world = await aWorldWithDraft();
    world.write('signups.csv', SIGNUPS);
    const { code } = await backtest(world, '--file', 'signups.csv', '--html', 'report.html');
    expect(code).toBe(0);
    expect(world.read('report.html')).toContain('2 rows of <code>signups.csv</code>');
  });

  it.each([
    ['standard output', '-', /^postern: --html names a file: standard output has the screen$/m],
    ['a directory', 'kept', /^postern: kept is a directory: --html names a file$/m],
    [
      'a place in no directory',
      'nowhere/report.html',
      /^postern: nowhere\/report\.html: there is no directory to write it to$/m,
    ],
    ['what is no ordinary file', 'pipe', /^postern: pipe is no ordinary file: --html would replace it$/m],
    [
      'the file of the cases',
      './signups.csv',
      /^postern: \.\/signups\.csv is being read: --html must be another file$/m,
    ],
  ])('refuses %s before it reads a case', async (_, target, message) => {
    const world = await aWorldWithDraft();
    world.write('signups.csv', SIGNUPS);
    mkdirSync(join(world.cwd, 'kept'));
    execFileSync('mkfifo', [join(world.cwd, 'pipe')]);
    const { code, stdout, stderr } = await backtest(world, '--file', 'signups.csv', '--html', target);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(readFileSync(join(world.cwd, 'signups.csv'), 'utf8')).toBe(SIGNUPS);
    expect(statSync(join(world.cwd, 'pipe')).isFIFO()).toBe(true);
  });

  it('writes nothing when there is no case', async () => {
    const world = await aWorldWithDraft(0);
    const { code } = await backtest(world, '--html', 'report.html');
    expect(code).toBe(2);
    expect(readdirSync(world.cwd)).not.toContain('report.html');
  });
});
