import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LabelChanges } from '../label-ports.ts';
import { rollBack } from './roll-back.ts';

/** A label on its way in, in the order of the staging table's columns. */
export type StagedLabel = readonly [
  subject: string,
  kind: 'check' | 'person',
  label: string,
  source: string,
  author: string | null,
  labelledAt: string,
];

/** Of each kind of subject, what of `labels` it is found by. */
const KINDS = [
  {
    kind: 'check',
    column: 'check_id',
    conflict: '(check_id) WHERE check_id IS NOT NULL',
    isSame: 'old.check_id = staged.subject',
    isRecorded: `EXISTS (SELECT 1 FROM check_rows c WHERE c.id = staged.subject AND c.account_id = ?1
      AND c.environment = 'live')`,
  },
  {
    kind: 'person',
    column: 'address_hmac',
    conflict: '(address_hmac, account_id) WHERE address_hmac IS NOT NULL',
    isSame: 'old.address_hmac = staged.subject AND old.account_id = ?1',
    isRecorded: 'TRUE',
  },
] as const;

/**
 * Gathers labels in a table of this connection's own, which nobody else waits for, and puts them in place from there: a
 * service that records checks meanwhile waits for that alone. Erasable TypeScript.
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
      subject TEXT PRIMARY KEY, kind TEXT NOT NULL, label TEXT NOT NULL, source TEXT NOT NULL, author TEXT,
      labelled_at TEXT NOT NULL, outcome TEXT) STRICT, WITHOUT ROWID`);
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

  /** What storing would do. The database is not locked meanwhile, so that each insertion judges again. */
  judge(accountId: string): LabelChanges {
    for (const { kind, isSame, isRecorded } of KINDS) {
      this.#database
        .prepare(
          `UPDATE temp.staged SET outcome = CASE WHEN NOT ${isRecorded} THEN 'absent'
           ELSE coalesce((SELECT CASE WHEN old.label <> staged.label
             THEN CASE WHEN old.labelled_at > staged.labelled_at THEN 'older' ELSE 'changed' END
             ELSE CASE WHEN old.labelled_at < staged.labelled_at THEN 'confirmed' ELSE 'same' END END
             FROM labels old WHERE ${isSame}), 'added') END
           WHERE kind = '${kind}'`,
        )
        .run(accountId);
    }
    return this.#count();
  }

  /**
   * Stores the first `limit` of those whose subject comes after `after`, in one transaction; returns the last of their
   * subjects, or null when there are no more. In the order of subjects, because that is the order of the indexes: in
   * another one each label would rewrite a page of its own.
   */
  store(accountId: string, recordedAt: string, after: string, limit: number): string | null {
    const last = this.#database
      .prepare(
        `SELECT max(subject) AS last FROM (SELECT subject FROM temp.staged WHERE subject > ? ORDER BY subject LIMIT ?)`,
      )
      .get(after, limit)?.last;
    if (typeof last !== 'string') return null;
    const insertions = KINDS.map(({ kind, column, conflict, isRecorded }) =>
      this.#database.prepare(
        `INSERT INTO labels (account_id, ${column}, label, source, author, labelled_at, recorded_at)
         SELECT ?1, subject, label, source, author, labelled_at, ?2 FROM temp.staged
         WHERE subject > ?3 AND subject <= ?4 AND kind = '${kind}' AND outcome IN ('added', 'changed', 'confirmed')
           AND ${isRecorded}
         ON CONFLICT ${conflict} DO UPDATE SET label = excluded.label, source = excluded.source,
           author = excluded.author, labelled_at = excluded.labelled_at, recorded_at = excluded.recorded_at
         WHERE excluded.labelled_at > labelled_at OR (excluded.label <> label AND excluded.labelled_at = labelled_at)`,
      ),
    );
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const insertion of insertions) insertion.run(accountId, recordedAt, after, last);
      this.#database.exec('COMMIT');
      return last;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  #count(): LabelChanges {
    const rows = this.#database
      .prepare('SELECT outcome, count(*) AS labels FROM temp.staged GROUP BY outcome')
      .all();
    const counts = new Map(rows.map(({ outcome, labels }) => [outcome, Number(labels)]));
    const of = (outcome: keyof LabelChanges | 'confirmed') => counts.get(outcome) ?? 0;
    return {
      added: of('added'),
      changed: of('changed'),
      // Told again at a later time: the label stays, the time is stored, so that nothing told before it wins later.
      same: of('same') + of('confirmed'),
      older: of('older'),
      absent: of('absent'),
    };
  }
}
