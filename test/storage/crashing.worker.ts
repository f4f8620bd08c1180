// The writer, but it falls amid a transaction when a row named chk_crash comes.
import { parentPort, workerData } from 'node:worker_threads';
import type { Refusal } from '../../src/storage/commit-queue.ts';
import type { CheckRow } from '../../src/storage/ports.ts';
import { serveCalls, WritingConnection } from '../../src/storage/sqlite/writing-connection.ts';

class CrashingConnection extends WritingConnection {
  override commitChecks(rows: readonly CheckRow[]): readonly Refusal[] {
    if (!rows.some(({ id }) => id === 'chk_crash')) return super.commitChecks(rows);
    this.run('BEGIN IMMEDIATE', []);
    this.run("INSERT INTO usage (account_id, month, checks) VALUES ('acc_crash', '2026-11', 1)", []);
    process.exit(9);
  }
}

if (!parentPort) throw new Error('runs as a worker only');
serveCalls(parentPort, new CrashingConnection(workerData));
