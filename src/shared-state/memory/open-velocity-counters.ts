import type { KeyObject } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../lib/thrown.ts';
import { unrefInterval } from '../../lib/time.ts';
import type { Instruments } from '../../observability/metrics.ts';
import { makePrivateDirectory, replaceFile } from '../../storage/private-files.ts';
import { InMemoryVelocityCounters } from './velocity-counters.ts';

const SNAPSHOT_MS = 60_000;
const VERSION = 'postern counters 3';

interface VelocityCountersOptions extends Pick<Instruments, 'clock' | 'log'> {
  /** `counters/` of the data directory. */
  readonly directory: string;
  readonly hmacKey: KeyObject;
  /** Calls back again and again until the returned function is called. */
  readonly every?: (intervalMs: number, run: () => void) => () => void;
}

/** Restores the counts of the last snapshot; writes one each minute and at a clean stop. A failure is logged, and loses nothing but counts. */
export async function openVelocityCounters(options: VelocityCountersOptions) {
  const { directory, hmacKey, clock, log, every = unrefInterval } = options;
  const file = join(directory, 'velocity.snapshot');
  const counters = new InMemoryVelocityCounters(hmacKey);
  const header = `${VERSION} ${counters.mark}\n`;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    try {
      const chunks = [header];
      for await (const chunk of counters.dump(clock.now())) chunks.push(chunk);
      makePrivateDirectory(directory);
      await replaceFile(file, chunks.join(''), 0o600);
      if (isFailing) log.info({}, 'counts are kept for a restart again');
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.error({ err }, 'counts cannot be kept for a restart; no answer depends on it');
      isFailing = true;
    }
  }
  const save = () => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  /** Restores the snapshot. False where there is none that can be used. */
  async function read(): Promise<boolean> {
    try {
      const text = await readFile(file, 'latin1');
      if (text.startsWith(header)) {
        counters.restore(text.slice(header.length), clock.now());
        return true;
      }
      log.warn({ file }, 'counts of another key or version are left out');
    } catch (err) {
      if (codeOf(err) !== 'ENOENT') {
        log.error({ err }, 'counts of before the start are not restored: velocity begins anew');
      }
    }
    return false;
  }

  await removeDrafts(directory);
  // Writing is tried at once, so that a directory that cannot be written to is logged at the start.
  if (!(await read())) await save();
  const stop = every(SNAPSHOT_MS, () => void save());
  return {
    counters,
    /** Writes the last snapshot. Never rejects. */
    async close() {
      stop();
      await writing;
      await save();
    },
  };
}

/** Deletes drafts that a killed process has left. */
async function removeDrafts(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const drafts = names.filter((name) => name.startsWith('.velocity.snapshot.'));
  for (const name of drafts) await unlink(join(directory, name)).catch(() => undefined);
}
