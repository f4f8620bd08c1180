// The writer, but it falls amid a transaction when a row named chk_crash comes.
import { parentPort } from 'node:worker_threads';
import type { Refusal } from '../../src/storage/commit-queue.ts';
import { type PackedRows, packRows, unpackRows } from '../../src/storage/sqlite/packed-rows.ts';
import type { SharedText } from '../../src/storage/sqlite/shared-texts.ts';
import { serveCalls } from '../../src/storage/sqlite/writer-calls.ts';
import { WritingConnection } from '../../src/storage/sqlite/writing-connection.ts';

class CrashingConnection extends WritingConnection {
  override stageChecks(rows: PackedRows, texts: readonly SharedText[]): void {
    super.stageChecks(rows, texts);
    crashAt(rows);
  }

  override commitChecks(rows: PackedRows, texts: readonly SharedText[]): readonly Refusal[] {
    super.stageChecks(rows, texts);
    crashAt(rows);
    return super.commitChecks(packRows([]), []);
  }
}

function crashAt(rows: PackedRows): void {
  if (unpackRows(rows).some(([id]) => id === 'chk_crash')) process.exit(9);
}

if (!parentPort) throw new Error('runs as a worker only');
serveCalls(parentPort, (options) => new CrashingConnection(options));
