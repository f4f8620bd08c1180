// The thread that makes checkpoints, which move the write-ahead log into the database, while commits go on.
import { fsyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointingOptions } from './checkpointer.ts';
import { openDatabase } from './open-database.ts';

/** Each pass moves what was committed during the one before, so that three or four leave next to nothing. */
const MOST_PASSES = 6;
/** So much is left to the writer, which does it between two commits in a millisecond or two. */
const FEW_PAGES = 200;

const { file, descriptor, busyTimeoutMs, isCheckpointing }: CheckpointingOptions = workerData;
const port = parentPort;
if (!port) throw new Error('checkpointer.worker runs as a worker only');

/** The writer may wait for it, and hears nothing while it does. */
function end(): void {
  Atomics.store(isCheckpointing, 0, 0);
  Atomics.notify(isCheckpointing, 0);
}

function open() {
  try {
    const database = openDatabase(file, busyTimeoutMs);
    return {
      database,
      pass: database.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
      look: database.prepare('PRAGMA wal_checkpoint(NOOP)'),
    };
  } catch (error) {
    end();
    throw error;
  }
}

const { database, pass, look } = open();

port.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'close') {
    database.close();
    port.close();
    return;
  }
  try {
    for (let passes = 0; passes < MOST_PASSES; passes += 1) {
      pass.get();
      // SQLite syncs the database only after a pass that has moved all, which would leave the whole of it to the writer.
      fsyncSync(descriptor);
      const { log, checkpointed } = look.get() ?? {};
      if (Number(log) - Number(checkpointed) <= FEW_PAGES) break;
    }
  } catch {
    // A full disk, for one: the next commit says so, to somebody who can be told.
  }
  end();
  port.postMessage('done');
});
