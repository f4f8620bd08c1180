import { createSecretKey } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/observability/logger.ts';
import { openVelocityCounters } from '../../../src/shared-state/memory/open-velocity-counters.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { aWorldOfChecks } from '../contract.ts';

const MINUTE_MS = 60_000;

async function aService(more: { directory?: string; secret?: number; now?: number } = {}) {
  const directory = more.directory ?? join(temporaryDirectory(), 'counters');
  const logged: string[] = [];
  const say = (_fields: object, message: string) => logged.push(message);
  const log = { info: say, warn: say, error: say } as unknown as Logger;
  let minute: () => void = () => undefined;
  const world = { now: () => more.now ?? 0 };
  const opened = await openVelocityCounters({
    directory,
    hmacKey: createSecretKey(Buffer.alloc(32, more.secret ?? 1)),
    clock: { now: () => world.now() },
    log,
    every: (intervalMs, run) => {
      expect(intervalMs).toBe(MINUTE_MS);
      minute = run;
      return () => undefined;
    },
  });
  const checks = aWorldOfChecks(opened.counters);
  world.now = checks.now;
  const file = join(directory, 'velocity.snapshot');
  const text = () => readFileSync(file, 'latin1');
  return { directory, file, text, logged, ...opened, ...checks, minute: () => minute() };
}

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('counts', () => {
  it('continue after a stop, and a retry is still counted once', async () => {
    const first = await aService();
    await first.check('a@x.org');
    await first.close();
    const second = await aService({ directory: first.directory, now: NOON });
    expect(await second.check('a@x.org')).toBe(1);
    second.wait(10 * MINUTE_MS);
    expect(await second.check('a@x.org')).toBe(2);
    expect([first.logged, second.logged]).toEqual([[], []]);
  });

  it('survive a crash, except those of the last minute', async () => {
    const first = await aService();
    await first.check('a@x.org');
    const before = first.text();
    first.minute();
    await expect.poll(() => first.text() !== before).toBe(true);
    await first.check('b@x.org');
    const second = await aService({ directory: first.directory, now: NOON });
    second.wait(10 * MINUTE_MS);
    expect([await second.check('a@x.org'), await second.check('b@x.org')]).toEqual([2, 1]);
  });

  it('are readable by the owner only, and contain nothing of the address on the disk', async () => {
    const service = await aService();
    await service.check('jane.secretive@firm.example');
    await service.close();
    expect(statSync(service.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(service.directory)).toEqual(['velocity.snapshot']);
    expect(service.text()).not.toMatch(/jane|secretive|firm|acc_|key_/);
  });

  it.each([
    ['of another key', (_file: string) => 2],
    [
      'of another version',
      (file: string) => {
        writeFileSync(file, 'postern counters 9 abc\n@scope\n');
        return 1;
      },
    ],
  ])('%s are ignored, which is logged, and counting starts anew', async (_case, change) => {
    const first = await aService();
    await first.check('a@x.org');
    await first.close();
    const second = await aService({ directory: first.directory, secret: change(first.file), now: NOON });
    expect(second.logged).toEqual(['counts of another key or version are left out']);
    second.wait(10 * MINUTE_MS);
    expect(await second.check('a@x.org')).toBe(1);
  });

  it('that cannot be read start anew, which is logged', async () => {
    const first = await aService();
    await first.check('a@x.org');
    await first.close();
    writeFileSync(first.file, `${first.text()}rubbish\n`);
    const second = await aService({ directory: first.directory, now: NOON });
    expect(second.logged).toEqual(['counts of before the start are not restored: velocity begins anew']);
    second.wait(10 * MINUTE_MS);
    expect(await second.check('a@x.org')).toBe(1);
  });

  it('leave no temporary files of a killed process', async () => {
    const directory = join(temporaryDirectory(), 'counters');
    mkdirSync(directory);
    for (const name of ['.velocity.snapshot.0123456789ab', 'notes.txt']) {
      writeFileSync(join(directory, name), 'old');
    }
    const service = await aService({ directory });
    expect(readdirSync(directory).sort()).toEqual(['notes.txt', 'velocity.snapshot']);
    expect(service.logged).toEqual([]);
  });

  it('that cannot be written are logged once, affect no answer, and are logged again when they can be', async () => {
    const parent = temporaryDirectory();
    const directory = join(parent, 'counters');
    // A file in place of the directory.
    writeFileSync(directory, '');
    const service = await aService({ directory });
    const told = [
      'counts of before the start are not restored: velocity begins anew',
      'counts cannot be kept for a restart; no answer depends on it',
    ];
    expect(service.logged).toEqual(told);
    service.minute();
    expect(await service.check('a@x.org')).toBe(1);
    // Waits for the snapshot in progress, which fails as well.
    await service.close();
    expect(service.logged).toEqual(told);
    rmSync(directory);
    await service.close();
    expect(service.logged).toEqual([...told, 'counts are kept for a restart again']);
  });
});
