import type { SQLOutputValue } from 'node:sqlite';
import type { DraftBacktest, RuleDraft, RuleDraftStore } from '../rule-ports.ts';
import type { Connections } from './connections.ts';

const COLUMNS = [
  'id',
  'name',
  'author',
  'author_id',
  'created_at',
  'saved_by',
  'saved_by_id',
  'saved_at',
  'revision',
  'base_hash',
  'base_digest',
  'base_files',
  'files',
  'backtest',
];

/** Plain SQL, as in the store of versions. */
export class SqliteRuleDraftStore implements RuleDraftStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async list(): Promise<readonly RuleDraft[]> {
    return this.#read('ORDER BY saved_at DESC, id DESC');
  }

  async find(id: string): Promise<RuleDraft | undefined> {
    return this.#read('WHERE id = ?', id)[0];
  }

  async create(draft: RuleDraft): Promise<void> {
    const places = COLUMNS.map(() => '?').join(', ');
    await this.#write(
      `INSERT INTO rule_drafts (${COLUMNS.join(', ')}) VALUES (${places})`,
      ...valuesOf(draft),
    );
  }

  async save(draft: RuleDraft): Promise<boolean> {
    const assignments = COLUMNS.map((column) => `${column} = ?`).join(', ');
    return this.#write(
      `UPDATE rule_drafts SET ${assignments} WHERE id = ? AND revision = ?`,
      ...valuesOf(draft),
      draft.id,
      draft.revision - 1,
    );
  }

  async noteBacktest(id: string, backtest: DraftBacktest): Promise<boolean> {
    return this.#write(
      'UPDATE rule_drafts SET backtest = ? WHERE id = ? AND revision = ?',
      JSON.stringify(backtest),
      id,
      backtest.revision,
    );
  }

  async discard(id: string, revision?: number): Promise<boolean> {
    if (revision === undefined) return this.#write('DELETE FROM rule_drafts WHERE id = ?', id);
    return this.#write('DELETE FROM rule_drafts WHERE id = ? AND revision = ?', id, revision);
  }

  async #write(sql: string, ...parameters: readonly (string | number | null)[]): Promise<boolean> {
    return (await this.#connections.write({ sql, parameters })) > 0;
  }

  #read(rest: string, ...parameters: readonly string[]): readonly RuleDraft[] {
    const { reader } = this.#connections;
    return reader
      .prepare(`SELECT ${COLUMNS.join(', ')} FROM rule_drafts ${rest}`)
      .all(...parameters)
      .map(toDraft);
  }
}

function valuesOf(draft: RuleDraft): readonly (string | number | null)[] {
  const { id, name, author, createdAt, savedBy, savedAt, revision, base, files, backtest } = draft;
  return [
    id,
    name,
    author.name,
    author.id,
    createdAt,
    savedBy.name,
    savedBy.id,
    savedAt,
    revision,
    base.hash,
    base.digest,
    JSON.stringify(base.files),
    JSON.stringify(files),
    backtest && JSON.stringify(backtest),
  ];
}

/** The table is strict: what comes back is what was written. */
function toDraft(row: Record<string, SQLOutputValue>): RuleDraft {
  const text = (column: string) => String(row[column]);
  return {
    id: text('id'),
    name: text('name'),
    author: { id: text('author_id'), name: text('author') },
    createdAt: text('created_at'),
    savedBy: { id: text('saved_by_id'), name: text('saved_by') },
    savedAt: text('saved_at'),
    revision: Number(row.revision),
    base: {
      hash: text('base_hash'),
      digest: text('base_digest'),
      files: JSON.parse(text('base_files')),
    },
    files: JSON.parse(text('files')),
    backtest: row.backtest === null ? null : JSON.parse(text('backtest')),
  };
}
