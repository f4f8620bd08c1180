import { createSecretKey } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/observability/logger.ts';
import type { CountedCheck } from '../../../src/shared-state/counters/check-counters.ts';
import { CounterJournal } from '../../../src/shared-state/counters/counter-journal.ts';
import { openCounters } from '../../../src/shared-state/counters/open-counters.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const NOON = Date.parse('2026-11-20T12:00:00.123Z');
const HOUR_MS = 3_600_000;
const KEY = { low: 0xfedcba98, high: 7 };

function aCheck(n: number, at = NOON): CountedCheck {
  return {
    account: 0xffff_fff0,
    at,
    retryLow: n,
    retryHigh: 0xffff_ffff,
    counts: [1, n, 0xffff_fffe, 0, n + 1, 2, 1, 0, 0],
  };
}

/** A journal over a directory of its own, or of another's. */
function aJournal(more: { directory?: string; key?: typeof KEY; mostOctets?: number; now?: number } = {}) {
  const directory = more.directory ?? join(temporaryDirectory(), 'counters');
  const logged: string[] = [];
  const say = (_fields: object, message: string) => logged.push(message);
  const log = { info: say, warn: say, error: say } as unknown as Logger;
  const clock = { at: more.now ?? NOON, now: () => clock.at };
  const { key = KEY, mostOctets } = more;
  const journal = new CounterJournal({ directory, key, clock, log, mostOctets });
  return {
    journal,
    directory,
    clock,
    logged,
    files: () => readdirSync(directory).sort(),
    async read() {
      const checks: CountedCheck[] = [];
      await journal.read((check) => checks.push(check));
      return checks;
    },
    async write(...checks: readonly CountedCheck[]) {
      for (const check of checks) journal.append(check);
      await journal.flush();
    },
  };
}

describe('the journal of counts', () => {
  it('gives back what was appended, in order, over as many starts as there were', async () => {
    const first = aJournal();
    expect(await first.read()).toEqual([]);
    await first.write(aCheck(1), aCheck(2, NOON + 999));
    await first.write(aCheck(3));
    await first.journal.close();
    const second = aJournal({ directory: first.directory });
    expect(await second.read()).toEqual([aCheck(1), aCheck(2, NOON + 999), aCheck(3)]);
    await second.write(aCheck(4));
    await second.journal.close();
    const third = aJournal({ directory: first.directory });
    expect((await third.read()).map(({ retryLow }) => retryLow)).toEqual([1, 2, 3, 4]);
    expect(first.logged).toEqual([]);
  });

  it('has what was flushed when the process is killed: it holds nothing open that matters', async () => {
    const killed = aJournal();
    await killed.write(aCheck(1));
    killed.journal.append(aCheck(2));
    expect(await aJournal({ directory: killed.directory }).read()).toEqual([aCheck(1)]);
    await killed.journal.close();
  });

  it('writes what is left when it is closed', async () => {
    const { journal, directory } = aJournal();
    journal.append(aCheck(1));
    await journal.close();
    expect(await aJournal({ directory }).read()).toEqual([aCheck(1)]);
  });

  it('is for the owner alone, and is not there before something is counted', async () => {
    const { journal, directory, files, write } = aJournal();
    await journal.flush();
    expect(() => statSync(directory)).toThrow('ENOENT');
    await write(aCheck(1));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, files()[0] ?? '')).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  it('begins a file each hour, and deletes those that no window reaches', async () => {
    const { journal, files, write, clock, directory } = aJournal();
    for (let hour = 0; hour < 30; hour++) {
      clock.at = NOON + hour * HOUR_MS;
      await write(aCheck(hour + 1, clock.at));
    }
    expect(files().length).toBeLessThanOrEqual(26);
    await journal.close();
    const later = aJournal({ directory, now: clock.at });
    const hours = (await later.read()).map(({ retryLow }) => retryLow - 1);
    expect(hours).toEqual(Array.from({ length: hours.length }, (_, n) => 30 - hours.length + n));
    expect(hours[0]).toBeLessThanOrEqual(6);
  });

  it('deletes all of it a day after the last check, also where nobody counts any more', async () => {
    const { journal, files, write, clock } = aJournal();
    await write(aCheck(1));
    clock.at = NOON + 26 * HOUR_MS;
    await journal.prune();
    // The one that is open goes with the next that is begun, or at the next start.
    await journal.close();
    await journal.prune();
    expect(files()).toEqual([]);
  });

  it('deletes at its start what is too old', async () => {
    const first = aJournal();
    await first.write(aCheck(1));
    await first.journal.close();
    const second = aJournal({ directory: first.directory, now: NOON + 26 * HOUR_MS });
    expect(await second.read()).toEqual([]);
    expect(second.files()).toEqual([]);
  });

  it('stays within its octets: the oldest goes first', async () => {
    const { journal, files, write, directory } = aJournal({ mostOctets: 12 * 2 ** 20 });
    for (let batch = 0; batch < 16; batch++) {
      for (let n = 0; n < 20_000; n++) journal.append(aCheck(batch * 20_000 + n));
      await journal.flush();
    }
    const octets = files().reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
    expect(octets).toBeLessThanOrEqual(12 * 2 ** 20);
    await write(aCheck(1));
    await journal.close();
    const kept = await aJournal({ directory }).read();
    expect(kept[0]?.retryLow).toBeGreaterThan(0);
    expect(kept.at(-2)?.retryLow).toBe(16 * 20_000 - 1);
  });

  it('leaves names to others that are not its own, and keeps its order when the clock is set back', async () => {
    const { journal, directory, clock, write } = aJournal();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    await write(aCheck(1));
    await journal.close();
    const second = aJournal({ directory, now: clock.at - HOUR_MS });
    await second.read();
    await second.write(aCheck(2));
    await second.journal.close();
    const third = aJournal({ directory });
    expect((await third.read()).map(({ retryLow }) => retryLow)).toEqual([1, 2]);
    expect(third.files()).toContain('notes.txt');
  });
});

describe('a journal in trouble', () => {
  it('gives back what stands before the place where it was cut, wherever that is', async () => {
    const { journal, directory, files, write } = aJournal();
    await write(aCheck(1), aCheck(2), aCheck(3));
    await journal.close();
    const file = join(directory, files()[0] ?? '');
    const whole = statSync(file).size;
    const size = (whole - 16) / 3;
    for (let length = whole - 1; length >= 0; length -= 5) {
      truncateSync(file, length);
      const found = await aJournal({ directory }).read();
      expect(found.length).toBe(Math.max(0, Math.floor((length - 16) / size)));
    }
  });

  it('reads nothing after what is no check', async () => {
    const { journal, directory, files, write } = aJournal();
    await write(aCheck(1));
    await journal.close();
    const file = join(directory, files()[0] ?? '');
    for (const tail of [Buffer.alloc(400), Buffer.alloc(400, 0xff)]) {
      const before = readFileSync(file);
      appendFileSync(file, tail);
      expect(await aJournal({ directory }).read()).toEqual([aCheck(1)]);
      writeFileSync(file, before);
    }
  });

  it('leaves out the counts of another key, and says so', async () => {
    const first = aJournal();
    await first.write(aCheck(1));
    await first.journal.close();
    const second = aJournal({ directory: first.directory, key: { low: 1, high: 2 } });
    expect(await second.read()).toEqual([]);
    expect(second.logged).toEqual(['counts of another key or version are left out']);
  });

  it('says once that it cannot be written, goes on, and says when it can again', async () => {
    const { journal, directory, logged, write } = aJournal();
    writeFileSync(directory, 'a file where the directory should be');
    await write(aCheck(1));
    await write(aCheck(2));
    expect(logged).toEqual(['counts cannot be kept for a restart; no answer depends on it']);
    rmSync(directory);
    await write(aCheck(3));
    expect(logged.at(-1)).toBe('counts are kept for a restart again');
    await journal.close();
    expect(await aJournal({ directory }).read()).toEqual([aCheck(3)]);
  });

  it('says that it cannot be read, and the service begins anew', async () => {
    const directory = join(temporaryDirectory(), 'counters');
    writeFileSync(directory, 'a file where the directory should be');
    const { read, logged } = aJournal({ directory });
    expect(await read()).toEqual([]);
    expect(logged).toEqual(['counts of before the start are not restored: velocity begins anew']);
  });

  it('says how many checks came faster than it could write', async () => {
    const { journal, logged } = aJournal();
    for (let n = 0; n < 60_000; n++) journal.append(aCheck(n));
    await journal.close();
    expect(logged).toContain('counts of checks are not kept for a restart');
  });
});

describe('counters that are opened', () => {
  const hmacKey = createSecretKey(Buffer.alloc(32, 7));
  const ofJane = { accountId: 'acc_1', environment: 'live', family: 'key_1' } as const;
  const JANE = 'jane.secret@example.com';

  async function open(directory: string, now: number) {
    const ticks: (() => void)[] = [];
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger;
    const clock = { now: () => now };
    const every = (_ms: number, run: () => void) => {
      ticks.push(run);
      return () => ticks.splice(ticks.indexOf(run), 1);
    };
    const counters = await openCounters({ directory, hmacKey, clock, log, every });
    return {
      ...counters,
      ticks,
      check() {
        const check = counters.book.begin(ofJane, now).about(JANE);
        const counted = [check.count('x.seen', JANE, '24h'), check.count('x.shape', 'a.a', '1h')];
        check.settle();
        return counted;
      },
    };
  }

  it('count on after a restart, and a retry is still one', async () => {
    const directory = join(temporaryDirectory(), 'counters');
    const first = await open(directory, NOON);
    expect(first.check()).toEqual([1, 1]);
    await first.close();
    expect(first.ticks).toEqual([]);
    const second = await open(directory, NOON + 60_000);
    expect(second.check()).toEqual([1, 1]);
    await second.close();
    const third = await open(directory, NOON + 2 * HOUR_MS);
    expect(third.check()).toEqual([2, 1]);
    await third.close();
  });

  it('have nothing of the address, its parts or its shape on the disk', async () => {
    const directory = join(temporaryDirectory(), 'counters');
    const counters = await open(directory, NOON);
    counters.check();
    await counters.close();
    const text = readdirSync(directory)
      .map((file) => readFileSync(join(directory, file), 'latin1'))
      .join('');
    expect(text.length).toBeGreaterThan(16);
    expect(text).not.toMatch(/jane|secret|example|a\.a|acc_1|key_1/i);
  });

  it('mean nothing under another secret', async () => {
    const directory = join(temporaryDirectory(), 'counters');
    const first = await open(directory, NOON);
    first.check();
    await first.close();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger;
    const second = await openCounters({
      directory,
      hmacKey: createSecretKey(Buffer.alloc(32, 8)),
      clock: { now: () => NOON },
      log,
    });
    expect(second.book.stats.octets).toBe(0);
    await second.close();
  });
});
