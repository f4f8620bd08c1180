import { messageOf } from '../../lib/thrown.ts';
import type { Refusal } from '../commit-queue.ts';
import type { CheckRow } from '../ports.ts';
import { CHECK_COLUMNS } from '../shared/records-database.ts';
import type { CheckPartitions } from './check-partitions.ts';
import { type Connection, type Connections, isStatementFault, SQLSTATE, sqlstateOf } from './connections.ts';

const COLUMNS = CHECK_COLUMNS.join(', ');

/**
 * Commits the rows and the monthly usage of their accounts in one statement, which is one round trip. A row whose id exists is left
 * out; the ids of the others are returned. Usage is ordered, so that two instances wait for each other but never deadlock.
 * `synchronous_commit` is set here, whatever default the role or the database has.
 */
const COMMIT = `
  WITH recorded AS (
    INSERT INTO checks (${COLUMNS}) SELECT ${COLUMNS} FROM json_populate_recordset(NULL::checks, $1)
    ON CONFLICT DO NOTHING RETURNING id, account_id, environment, created_at
  ), used AS (
    INSERT INTO usage AS known (account_id, month, checks)
    SELECT account_id, left(created_at, 7), count(*) FROM recorded WHERE environment = 'live' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, month) DO UPDATE SET checks = known.checks + excluded.checks
  )
  SELECT set_config('synchronous_commit', $2, true), ARRAY(SELECT id FROM recorded) AS ids`;

const TRANSIENT: readonly unknown[] = [SQLSTATE.deadlock, SQLSTATE.serializationFailure];
const TRIES = 3;

/** Commits rows for a `CommitQueue`, which never calls it twice at once. */
export class CheckCommitter {
  readonly #synchronousCommit: 'on' | 'off';
  /** Ids of a batch whose commit failed. It may be committed all the same: then its ids are no fault when it comes again. */
  #inDoubt: ReadonlySet<string> = new Set();

  /** `connections` are for commits alone, so that recording a check never waits for another query. */
  constructor(
    private readonly connections: Connections,
    private readonly partitions: CheckPartitions,
    durability: 'commit' | 'async',
  ) {
    this.#synchronousCommit = durability === 'commit' ? 'on' : 'off';
  }

  /** Returns the rows that are themselves at fault, and were left out. Rejects when it is not known that the others are durable. */
  async commit(rows: readonly CheckRow[]): Promise<readonly Refusal[]> {
    try {
      const refusals = await this.#commitAll(rows);
      const doubted = this.#inDoubt;
      this.#inDoubt = new Set();
      return refusals.filter(({ known = '' }) => !doubted.has(known));
    } catch (error) {
      this.#inDoubt = new Set(rows.map(({ id }) => id));
      throw error;
    }
  }

  async #commitAll(rows: readonly CheckRow[]): Promise<readonly Found[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.partitions.make(rows.map((row) => row.created_at));
        return await this.#insert(this.connections, rows);
      } catch (error) {
        const code = sqlstateOf(error);
        if (code === SQLSTATE.checkViolation && tries === 1) this.partitions.forget();
        else if (isStatementFault(error)) return this.#commitEach(rows);
        else if (!TRANSIENT.includes(code) || tries === TRIES) throw error;
      }
    }
  }

  /** Commits row by row, with a savepoint each, in one transaction: for a batch in which the server has refused a row. */
  #commitEach(rows: readonly CheckRow[]): Promise<readonly Found[]> {
    return this.connections.transact(async (connection) => {
      const found: Found[] = [];
      for (const [index, row] of rows.entries()) {
        await connection.query('SAVEPOINT row');
        try {
          found.push(...(await this.#insert(connection, [row])).map((refusal) => ({ ...refusal, index })));
          await connection.query('RELEASE SAVEPOINT row');
        } catch (error) {
          if (!isStatementFault(error)) throw error;
          await connection.query('ROLLBACK TO SAVEPOINT row');
          found.push({ index, reason: messageOf(error) });
        }
      }
      return found;
    });
  }

  /** Inserts rows. Returns those that were left out, because their id exists. */
  async #insert(by: Pick<Connection, 'query'>, rows: readonly CheckRow[]) {
    const values = [JSON.stringify(rows, wellFormed), this.#synchronousCommit];
    // Prepared, because planning takes half of the statement's time.
    const { rows: answered } = await by.query({ name: 'commit checks', text: COMMIT }, values);
    const recorded = new Set<string>(answered[0].ids);
    // `delete`, so that the second of two rows with one id is at fault.
    return rows.flatMap(({ id }, index) =>
      recorded.delete(id) ? [] : [{ index, reason: `there is a check ${id}`, known: id }],
    );
  }
}

interface Found extends Refusal {
  /** The row's id, where the database has a row with it. */
  readonly known?: string;
}

/**
 * A replacer for JSON.stringify. Half of a surrogate pair becomes U+FFFD, as it does in SQLite and on any other way into UTF-8; JSON would
 * keep it, and be refused.
 */
function wellFormed(_key: string, value: unknown) {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
