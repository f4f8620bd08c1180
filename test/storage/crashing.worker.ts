// The writer, but it falls amid a transaction when a row named chk_crash comes.
import { parentPort, workerData } from 'node:worker_threads';
import type { Refusal } from '../../src/storage/commit-queue.ts';
import { type PackedRows, unpackRows } from '../../src/storage/sqlite/packed-rows.ts';
import type { SharedText } from '../../src/storage/sqlite/shared-texts.ts';
import { serveCalls } from '../../src/storage/sqlite/writer-calls.ts';
import { WritingConnection } from '../../src/storage/sqlite/writing-connection.ts';

class CrashingConnection extends WritingConnection {
  override insertChecks(rows: PackedRows, texts: readonly SharedText[]): readonly Refusal[] {
    if (unpackRows(rows).some(([id]) => id === 'chk_crash')) {
      this.run('BEGIN IMMEDIATE', []);
      process.exit(9);
    }
    return super.insertChecks(rows, texts);
  }
}

if (!parentPort) throw new Error('runs as a worker only');
serveCalls(parentPort, new CrashingConnection(workerData));
