import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { nextHour } from '../../insights/hours.ts';
import type { Refusal } from '../commit-queue.ts';
import type { LabelChanges } from '../label-ports.ts';
import type { CheckHour } from '../ports.ts';
import { CheckStaging } from './check-staging.ts';
import { Checkpointer, LOG_PAGES_AT_MOST } from './checkpointer.ts';
import { checksOf } from './checks-of-person.ts';
import { LabelStaging, type StagedLabel } from './label-staging.ts';
import { openDatabase } from './open-database.ts';
import type { PackedRows } from './packed-rows.ts';
import { rollBack } from './roll-back.ts';
import type { SharedText } from './shared-texts.ts';

export interface WritingOptions {
  readonly file: string;
  /** How long another process may hold the database before a write fails. */
  readonly busyTimeoutMs: number;
  /** The most pages that the database may grow to; for tests of a full disk. */
  readonly maxPages?: number | undefined;
  /** When a checkpoint is made; for tests. */
  readonly logPages?: number | undefined;
}

/** SQL, its parameters, and whether it may find no row to change. */
export type PlainStatement = readonly [
  sql: string,
  parameters: readonly SQLInputValue[],
  mayChangeNothing: boolean,
];

export interface WrittenRows {
  readonly rows: readonly Record<string, SQLOutputValue>[];
  readonly changes: number;
}

/** Which checks to delete. */
export type Doomed = { readonly addressHmac: string } | { readonly createdBefore: string };

/** A reader in another process is waited for this long; the appends wait with us. */
const CHECKPOINT_WAIT_MS = 100;

/** The one connection that writes. Lives in the worker, so all of it may block; erasable TypeScript. */
export class WritingConnection {
  readonly #database: DatabaseSync;
  readonly #busyTimeoutMs: number;
  readonly #checks: CheckStaging;
  readonly #labels: LabelStaging;
  readonly #checkpointer: Checkpointer;

  constructor({ file, busyTimeoutMs, maxPages, logPages }: WritingOptions) {
    this.#database = openDatabase(file, busyTimeoutMs);
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#database.exec(`PRAGMA wal_autocheckpoint=${LOG_PAGES_AT_MOST}`);
    this.#checkpointer = new Checkpointer(this.#database, { file, busyTimeoutMs, logPages });
    if (maxPages !== undefined) this.#database.exec(`PRAGMA max_page_count=${maxPages}`);
    this.#checks = new CheckStaging(this.#database);
    this.#labels = new LabelStaging(this.#database);
  }

  /** Rows of the transaction that `commitChecks` ends. What fails, that tells. */
  stageChecks(rows: PackedRows, texts: readonly SharedText[]): void {
    this.#checks.add(rows, texts);
  }

  /**
   * Commits the rows after those that were staged, the texts that they name and what they use of their accounts' months in one
   * transaction, fsync included. Returns the rows that are themselves at fault and were left out. Throws when nothing was committed.
   */
  commitChecks(rows: PackedRows, texts: readonly SharedText[]): readonly Refusal[] {
    return this.#checks.commit(rows, texts);
  }

  /** Checks are staged and not committed: what else is asked has to wait for that. */
  isAmidChecks(): boolean {
    return this.#checks.isUnderWay;
  }

  /** What nobody waits for, to be called after each reply. */
  afterReply(): void {
    this.#checkpointer.checkpointWhenLong();
  }

  /** Deletes at most `limit` checks, in one transaction; returns how many there were. */
  deleteChecks(doomed: Doomed, limit: number): number {
    const [found, value] =
      'addressHmac' in doomed
        ? [checksOf('?1'), doomed.addressHmac]
        : ['check_rows c WHERE c.created_at < ?1', doomed.createdBefore];
    return this.run(`DELETE FROM check_rows WHERE rowid IN (SELECT c.rowid FROM ${found} LIMIT ?2)`, [
      value,
      limit,
    ]);
  }

  /** In one transaction; an hour whose checks are other ones by now is left out. */
  keepHours(hours: readonly CheckHour[]): void {
    const keep = this.#database.prepare(
      `INSERT OR REPLACE INTO check_hours (account_id, hour, checks, places, tally) SELECT ?1, ?2, ?3, ?4, ?5
       WHERE (?3, ?4) = (SELECT count(*), coalesce(sum(rowid), 0) FROM check_rows
         WHERE account_id = ?1 AND created_at >= ?2 AND created_at < ?6)`,
    );
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { accountId, hour, checks, places, tally } of hours) {
        keep.run(accountId, hour, checks, places, tally, nextHour(hour));
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  beginLabels(): void {
    this.#labels.begin();
  }

  stageLabels(labels: readonly StagedLabel[]): void {
    this.#labels.add(labels);
  }

  judgeLabels(accountId: string): LabelChanges {
    return this.#labels.judge(accountId);
  }

  storeLabels(accountId: string, recordedAt: string, after: string, limit: number): string | null {
    return this.#labels.store(accountId, recordedAt, after, limit);
  }

  endLabels(): void {
    this.#labels.end();
  }

  /** One statement of the cold stores; returns how many rows it changed. */
  run(sql: string, parameters: readonly SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...parameters).changes);
  }

  /** The same with what its RETURNING clause answers, if it has one. */
  runReturning(sql: string, parameters: readonly SQLInputValue[]): WrittenRows {
    const statement = this.#database.prepare(sql);
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...parameters).changes) };
    }
    const rows = statement.all(...parameters);
    return { rows, changes: rows.length };
  }

  /** All statements in one transaction. When one that must changes no row, none of them holds, and the answer is false. */
  runAll(statements: readonly PlainStatement[]): boolean {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const areDone = statements.every(
        ([sql, parameters, mayChangeNothing]) => this.run(sql, parameters) > 0 || mayChangeNothing,
      );
      this.#database.exec(areDone ? 'COMMIT' : 'ROLLBACK');
      return areDone;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  /**
   * Moves the log into the database and empties it, so that nothing deleted is left there. False when a
   * reader in another process still needs it.
   */
  checkpoint(): boolean {
    if (!this.#checkpointer.wait()) return false;
    this.#database.exec(`PRAGMA busy_timeout=${CHECKPOINT_WAIT_MS}`);
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout=${this.#busyTimeoutMs}`);
    }
  }

  close(): void {
    this.#checkpointer.close();
    this.checkpoint();
    this.#database.close();
  }
}
