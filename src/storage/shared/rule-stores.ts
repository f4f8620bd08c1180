import { createHash } from 'node:crypto';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type {
  DraftBacktest,
  RuleAnnouncement,
  RuleComplaint,
  RuleDraft,
  RuleDraftStore,
  RuleVersion,
  RuleVersionStore,
} from '../rule-ports.ts';
import { anyOf, type Database, type NewRow, type Row } from './schema.ts';

const OF_VERSION = ['version', 'hash', 'digest', 'reason', 'at', 'author', 'restores'] as const;

export class RuleVersions implements RuleVersionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async last(): Promise<RuleVersion | undefined> {
    const row = await this.#versions().where('reason', '<>', 'draft').limit(1).executeTakeFirst();
    return row && toVersion(row);
  }

  async add(version: Omit<RuleVersion, 'version'>, files: RuleFiles): Promise<RuleVersion> {
    const { hash, digest, at } = version;
    const texts = Object.values(files).map((text) => ({ digest: digestOf(text), text }));
    const digests = Object.entries(files).map(([path, text]) => [path, digestOf(text)]);
    return this.#db.transaction().execute(async (trx) => {
      const announced = version.reason === 'draft' ? undefined : await takeAnnouncement(trx, digest);
      const { reason, author, restores } = announced ?? version;
      if (texts.length > 0) {
        await trx
          .insertInto('rule_texts')
          .values(texts)
          .onConflict((known) => known.doNothing())
          .execute();
      }
      const row = await trx
        .insertInto('rule_versions')
        .values({
          ...{ hash, digest, reason, at, author, restores },
          files: JSON.stringify(Object.fromEntries(digests)),
        })
        .returning(OF_VERSION)
        .executeTakeFirstOrThrow();
      return toVersion(row);
    });
  }

  async list(): Promise<readonly RuleVersion[]> {
    return (await this.#versions().execute()).map(toVersion);
  }

  async filesOf(version: number): Promise<RuleFiles | undefined> {
    const row = await this.#db
      .selectFrom('rule_versions')
      .select('files')
      .where('version', '=', version)
      .executeTakeFirst();
    if (!row) return undefined;
    const digests = Object.entries<string>(JSON.parse(row.files));
    const texts = await this.#db
      .selectFrom('rule_texts')
      .selectAll()
      .where('digest', 'in', anyOf(digests.map(([, digest]) => digest)))
      .execute();
    const textOf = new Map(texts.map(({ digest, text }) => [digest, text]));
    return Object.fromEntries(digests.map(([path, digest]) => [path, String(textOf.get(digest))]));
  }

  async announce({ digest, author, restores }: RuleAnnouncement): Promise<void> {
    await this.#db
      .insertInto('rule_announcements')
      .values({ digest, author, restores })
      .onConflict((known) => known.column('digest').doUpdateSet({ author, restores }))
      .execute();
  }

  async withdraw(digest: string): Promise<void> {
    await this.#db.deleteFrom('rule_announcements').where('digest', '=', digest).execute();
  }

  async complain(complaint: RuleComplaint | null): Promise<void> {
    if (complaint === null) {
      await this.#db.deleteFrom('rule_complaint').execute();
      return;
    }
    const { kind, at, digest, faults } = complaint;
    const row = { kind, at, digest, faults: JSON.stringify(faults) };
    await this.#db
      .insertInto('rule_complaint')
      .values({ id: 1, ...row })
      .onConflict((known) => known.column('id').doUpdateSet(row))
      .execute();
  }

  async complaint(): Promise<RuleComplaint | undefined> {
    const row = await this.#db
      .selectFrom('rule_complaint')
      .select(['kind', 'at', 'digest', 'faults'])
      .executeTakeFirst();
    // The table lets no other kind in.
    return row && { ...row, kind: row.kind as RuleComplaint['kind'], faults: JSON.parse(row.faults) };
  }

  #versions() {
    return this.#db.selectFrom('rule_versions').select(OF_VERSION).orderBy('version', 'desc');
  }
}

/** Uses it up. */
async function takeAnnouncement(
  trx: Database,
  digest: string,
): Promise<Pick<RuleVersion, 'reason' | 'author' | 'restores'> | undefined> {
  const taken = await trx
    .deleteFrom('rule_announcements')
    .where('digest', '=', digest)
    .returning(['author', 'restores'])
    .executeTakeFirst();
  return taken && { ...taken, reason: taken.restores === null ? 'change' : 'rollback' };
}

function toVersion(row: Omit<Row<'rule_versions'>, 'files'>): RuleVersion {
  // The table lets no other reason in.
  return { ...row, reason: row.reason as RuleVersion['reason'] };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export class RuleDrafts implements RuleDraftStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(): Promise<readonly RuleDraft[]> {
    const rows = await this.#db
      .selectFrom('rule_drafts')
      .selectAll()
      .orderBy('saved_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toDraft);
  }

  async find(id: string): Promise<RuleDraft | undefined> {
    const row = await this.#db.selectFrom('rule_drafts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toDraft(row);
  }

  async create(draft: RuleDraft): Promise<void> {
    await this.#db.insertInto('rule_drafts').values(toRow(draft)).execute();
  }

  async save(draft: RuleDraft): Promise<boolean> {
    const saved = await this.#db
      .updateTable('rule_drafts')
      .set(toRow(draft))
      .where('id', '=', draft.id)
      .where('revision', '=', draft.revision - 1)
      .executeTakeFirst();
    return saved.numUpdatedRows > 0n;
  }

  async noteBacktest(id: string, backtest: DraftBacktest): Promise<boolean> {
    const noted = await this.#db
      .updateTable('rule_drafts')
      .set({ backtest: JSON.stringify(backtest) })
      .where('id', '=', id)
      .where('revision', '=', backtest.revision)
      .executeTakeFirst();
    return noted.numUpdatedRows > 0n;
  }

  async discard(id: string, revision?: number): Promise<boolean> {
    let doomed = this.#db.deleteFrom('rule_drafts').where('id', '=', id);
    if (revision !== undefined) doomed = doomed.where('revision', '=', revision);
    return (await doomed.executeTakeFirst()).numDeletedRows > 0n;
  }
}

function toRow(draft: RuleDraft): NewRow<'rule_drafts'> {
  const { id, name, author, createdAt, savedBy, savedAt, revision, base, files, backtest } = draft;
  return {
    ...{ id, name, author: author.name, author_id: author.id, created_at: createdAt },
    ...{ saved_by: savedBy.name, saved_by_id: savedBy.id, saved_at: savedAt, revision },
    ...{ base_hash: base.hash, base_digest: base.digest, base_files: JSON.stringify(base.files) },
    files: JSON.stringify(files),
    backtest: backtest && JSON.stringify(backtest),
  };
}

function toDraft(row: Row<'rule_drafts'>): RuleDraft {
  return {
    id: row.id,
    name: row.name,
    author: { id: row.author_id, name: row.author },
    createdAt: row.created_at,
    savedBy: { id: row.saved_by_id, name: row.saved_by },
    savedAt: row.saved_at,
    revision: row.revision,
    base: { hash: row.base_hash, digest: row.base_digest, files: JSON.parse(row.base_files) },
    files: JSON.parse(row.files),
    backtest: row.backtest === null ? null : JSON.parse(row.backtest),
  };
}
