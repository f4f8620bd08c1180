import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LabelChanges } from '../ports.ts';

/** A label on its way in, in the order of the staging table's columns. */
export type StagedLabel = readonly [
  checkId: string | null,
  addressHmac: string | null,
  label: string,
  source: string,
  author: string | null,
  labelledAt: string,
];

/** `labels` and what each kind of subject is found by. */
const KINDS = [
  {
    id: 'check_id',
    conflict: '(check_id) WHERE check_id IS NOT NULL',
    isSame: 'old.check_id = staged.check_id',
  },
  {
    id: 'address_hmac',
    conflict: '(address_hmac, account_id) WHERE address_hmac IS NOT NULL',
    isSame: 'old.address_hmac = staged.address_hmac AND old.account_id = ?1',
  },
] as const;

const IS_RECORDED = `EXISTS (SELECT 1 FROM checks
  WHERE checks.id = staged.check_id AND checks.account_id = ?1 AND checks.environment = 'live')`;

/**
 * Gathers labels in a table of this connection's own, which nobody else waits for, and puts them in place in one
 * transaction: a service that records checks meanwhile waits for that alone. Erasable TypeScript.
 */
export class LabelStaging {
  readonly #database: DatabaseSync;
  #stage: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  begin(): void {
    this.end();
    this.#database.exec(`PRAGMA temp_store = MEMORY; CREATE TEMP TABLE staged (
      check_id TEXT, address_hmac TEXT, label TEXT NOT NULL, source TEXT NOT NULL, author TEXT,
      labelled_at TEXT NOT NULL, outcome TEXT) STRICT`);
    this.#stage = this.#database.prepare('INSERT INTO temp.staged VALUES (?, ?, ?, ?, ?, ?, NULL)');
  }

  /** Throws when nothing was begun: a worker that was started again has lost what was staged. */
  add(labels: readonly StagedLabel[]): void {
    if (!this.#stage) throw new Error('no labels are being staged');
    for (const label of labels) this.#stage.run(...label);
  }

  end(): void {
    this.#stage = undefined;
    this.#database.exec('DROP TABLE IF EXISTS temp.staged');
  }

  /** What storing would do, or does: it is judged before the database is locked, and judged again by each insertion. */
  put(accountId: string, recordedAt: string, isTrial: boolean): LabelChanges {
    if (!this.#stage) throw new Error('no labels are being staged');
    for (const { id, isSame } of KINDS) {
      this.#database
        .prepare(
          `UPDATE temp.staged SET outcome = CASE WHEN ${id === 'check_id' ? `NOT ${IS_RECORDED}` : 'FALSE'} THEN 'absent'
           ELSE coalesce((SELECT CASE WHEN old.label = staged.label THEN 'same'
             WHEN old.labelled_at > staged.labelled_at THEN 'older' ELSE 'changed' END
             FROM labels old WHERE ${isSame}), 'added') END
           WHERE ${id} IS NOT NULL`,
        )
        .run(accountId);
    }
    const changes = this.#count();
    if (!isTrial && changes.added + changes.changed > 0) this.#store(accountId, recordedAt);
    this.end();
    return changes;
  }

  #count(): LabelChanges {
    const rows = this.#database
      .prepare('SELECT outcome, count(*) AS labels FROM temp.staged GROUP BY outcome')
      .all();
    const counts = new Map(rows.map(({ outcome, labels }) => [outcome, Number(labels)]));
    const of = (outcome: keyof LabelChanges) => counts.get(outcome) ?? 0;
    return {
      added: of('added'),
      changed: of('changed'),
      same: of('same'),
      older: of('older'),
      absent: of('absent'),
    };
  }

  #store(accountId: string, recordedAt: string): void {
    const insertions = KINDS.map(({ id, conflict }) =>
      // In the order of the index: a quarter of the time of a random one.
      this.#database.prepare(
        `INSERT INTO labels (account_id, check_id, address_hmac, label, source, author, labelled_at, recorded_at)
         SELECT ?1, check_id, address_hmac, label, source, author, labelled_at, ?2 FROM temp.staged
         WHERE ${id} IS NOT NULL AND outcome IN ('added', 'changed')${id === 'check_id' ? ` AND ${IS_RECORDED}` : ''}
         ORDER BY ${id}
         ON CONFLICT ${conflict} DO UPDATE SET label = excluded.label, source = excluded.source,
           author = excluded.author, labelled_at = excluded.labelled_at, recorded_at = excluded.recorded_at
         WHERE excluded.label <> label AND excluded.labelled_at >= labelled_at`,
      ),
    );
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const insertion of insertions) insertion.run(accountId, recordedAt);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
