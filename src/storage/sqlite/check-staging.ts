import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../lib/thrown.ts';
import type { Refusal } from '../commit-queue.ts';
import { BLOCK_ROWS } from './checks-of-person.ts';
import { type PackedRows, unpackRows } from './packed-rows.ts';
import { rollBack } from './roll-back.ts';
import { CHECK_COLUMNS, type CheckValues } from './schema.ts';
import type { SharedText } from './shared-texts.ts';
import { isRowFault } from './sqlite-fault.ts';

const ENVIRONMENT = CHECK_COLUMNS.indexOf('environment');
const ACCOUNT = CHECK_COLUMNS.indexOf('account_id');
const CREATED_AT = CHECK_COLUMNS.indexOf('created_at');

/** The checks of one transaction, which come in one or more parts. Erasable TypeScript. */
export class CheckStaging {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insertCheck: StatementSync;
  readonly #findBlock: StatementSync;
  readonly #insertText: StatementSync;
  readonly #countChecks: StatementSync;
  #batch: Batch | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    const places = CHECK_COLUMNS.map(() => '?').join(', ');
    this.#insertCheck = database.prepare(
      `INSERT INTO check_rows (${CHECK_COLUMNS.join(', ')}, block) VALUES (${places}, ?)`,
    );
    this.#findBlock = database.prepare(
      `SELECT coalesce(max(rowid), 0) / ${BLOCK_ROWS} AS block FROM check_rows`,
    );
    this.#insertText = database.prepare('INSERT OR IGNORE INTO check_texts (id, text) VALUES (?, ?)');
    this.#countChecks = database.prepare(
      'INSERT INTO usage (account_id, month, checks) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET checks = checks + excluded.checks',
    );
  }

  /** From the first part to `commit`: the transaction is open, unless it has failed. */
  get isUnderWay(): boolean {
    return this.#batch !== undefined;
  }

  /**
   * Inserts the rows and the texts that they name. A row that is itself at fault is left out: SQLite undoes that one statement,
   * and its neighbours stand. What else fails, `commit` tells.
   */
  add(rows: PackedRows, texts: readonly SharedText[]): void {
    this.#batch ??= new Batch();
    this.#insert(this.#batch, rows, texts);
  }

  /**
   * Commits what was added, these rows after it, and what they use of their accounts' months, fsync included; returns the rows
   * that were left out. Throws when nothing was committed.
   */
  commit(rows: PackedRows, texts: readonly SharedText[]): readonly Refusal[] {
    const batch = this.#batch ?? new Batch();
    this.#batch = undefined;
    this.#insert(batch, rows, texts);
    if (batch.failure !== undefined) throw batch.failure;
    try {
      for (const use of batch.usage.all()) this.#countChecks.run(...use);
      this.#commit.run();
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
    return batch.refusals;
  }

  #insert(batch: Batch, rows: PackedRows, texts: readonly SharedText[]): void {
    if (batch.failure !== undefined) return;
    try {
      const block = batch.block ?? this.#open(batch);
      for (const { id, text } of texts) this.#insertText.run(id, text);
      for (const row of unpackRows(rows)) this.#addRow(batch, block, row);
    } catch (error) {
      batch.failure = error;
      rollBack(this.#database);
    }
  }

  /** Returns the block of all rows of the transaction. */
  #open(batch: Batch): number {
    this.#begin.run();
    batch.block = Number(this.#findBlock.get()?.block);
    return batch.block;
  }

  #addRow(batch: Batch, block: number, row: CheckValues): void {
    const index = batch.rows;
    batch.rows += 1;
    try {
      this.#insertCheck.run(...row, block);
      batch.usage.add(row);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      batch.refusals.push({ index, reason: messageOf(error) });
    }
  }
}

/** What a batch uses of its accounts' months; nearly always one account in one month. */
class Usage {
  readonly #counts = new Map<string, [account: string, month: string, checks: number]>();

  add(row: CheckValues): void {
    if (row[ENVIRONMENT] !== 'live') return;
    const account = String(row[ACCOUNT]);
    const month = String(row[CREATED_AT]).slice(0, 7);
    const known = this.#counts.get(`${month} ${account}`);
    if (known) known[2] += 1;
    else this.#counts.set(`${month} ${account}`, [account, month, 1]);
  }

  all(): Iterable<[account: string, month: string, checks: number]> {
    return this.#counts.values();
  }
}

class Batch {
  readonly refusals: Refusal[] = [];
  readonly usage = new Usage();
  /** How many came, refused ones too. */
  rows = 0;
  /** Once its transaction is open. */
  block: number | undefined;
  /** Why nothing of it is or will be written. */
  failure: unknown;
}
