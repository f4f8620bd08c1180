import { hash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleDraft, RuleDraftStore, RuleVersion, RuleVersionStore } from '../rule-ports.ts';
import { anyOf, type Database, hasChanged, type NewRow, put, type Schema } from './schema.ts';

const OF_VERSION = ['version', 'hash', 'digest', 'reason', 'at', 'author', 'restores'] as const;

/** Announces to the other instances that other rules are published, once the transaction is committed. */
export type Announce = (trx: Database) => Promise<void>;

export function ruleVersionStore(db: Database, announce?: Announce): RuleVersionStore {
  const versions = db.selectFrom('ruleVersions').select(OF_VERSION).orderBy('version', 'desc');
  return {
    last: () => versions.where('reason', '<>', 'draft').limit(1).executeTakeFirst(),
    list: () => versions.execute(),
    add: (version, files) =>
      db.transaction().execute(async (trx) => {
        const announced = version.reason === 'draft' ? {} : await takeAnnouncement(trx, version.digest);
        return insertVersion(trx, { ...version, ...announced }, files);
      }),
    published: () =>
      versions
        .where('version', '=', (one) =>
          one
            .selectFrom('serviceState')
            .where('name', '=', POINTER)
            .select(sql<number>`CAST(value AS integer)`.as('version')),
        )
        .executeTakeFirst(),
    publish: (version, files, before) =>
      db.transaction().execute(async (trx) => {
        if (!(await holdPointer(trx, before))) return undefined;
        const added = await insertVersion(trx, version, files);
        await trx
          .updateTable('serviceState')
          .set({ value: String(added.version) })
          .where('name', '=', POINTER)
          .execute();
        await announce?.(trx);
        return added;
      }),
    async filesOf(version) {
      const row = await db
        .selectFrom('ruleVersions')
        .select('files')
        .where('version', '=', version)
        .executeTakeFirst();
      if (!row) return undefined;
      const digests = Object.entries<string>(JSON.parse(row.files));
      const texts = await db
        .selectFrom('ruleTexts')
        .selectAll()
        .where('digest', 'in', anyOf(digests.map(([, digest]) => digest)))
        .execute();
      const textOf = new Map(texts.map(({ digest, text }) => [digest, text]));
      return Object.fromEntries(digests.map(([path, digest]) => [path, String(textOf.get(digest))]));
    },
    announce: ({ digest, author, restores }) =>
      put(db, 'ruleAnnouncements', ['digest'], { digest, author, restores }),
    async withdraw(digest) {
      await db.deleteFrom('ruleAnnouncements').where('digest', '=', digest).execute();
    },
    async complain(complaint) {
      if (complaint === null) return void (await db.deleteFrom('ruleComplaint').execute());
      const row = { id: 1, ...complaint, faults: JSON.stringify(complaint.faults) };
      await put(db, 'ruleComplaint', ['id'], row);
    },
    async complaint() {
      const columns = ['kind', 'at', 'digest', 'faults'] as const;
      const row = await db.selectFrom('ruleComplaint').select(columns).executeTakeFirst();
      return row && { ...row, faults: JSON.parse(row.faults) };
    },
  };
}

async function insertVersion(trx: Database, version: Omit<RuleVersion, 'version'>, files: RuleFiles) {
  const texts = Object.values(files).map((text) => ({ digest: hash('sha256', text), text }));
  if (texts.length > 0) {
    await trx
      .insertInto('ruleTexts')
      .values(texts)
      .onConflict((known) => known.doNothing())
      .execute();
  }
  const digests = Object.entries(files).map(([path, text]) => [path, hash('sha256', text)]);
  const row = { ...version, files: JSON.stringify(Object.fromEntries(digests)) };
  return trx.insertInto('ruleVersions').values(row).returning(OF_VERSION).executeTakeFirstOrThrow();
}

const POINTER = 'published_rules';

/**
 * Whether the published version is `before` (null: none is). Writes the pointer unchanged, or as 0 where there was none, to lock its row
 * until the transaction ends: a concurrent publication waits here, finds another version, and so uses up no version number.
 */
async function holdPointer(trx: Database, before: number | null): Promise<boolean> {
  if (before !== null) {
    const value = String(before);
    const held = trx.updateTable('serviceState').set({ value });
    return hasChanged(held.where('name', '=', POINTER).where('value', '=', value));
  }
  const made = await trx
    .insertInto('serviceState')
    .values({ name: POINTER, value: '0' })
    .onConflict((there) => there.doNothing())
    .returning('name')
    .execute();
  return made.length > 0;
}

/** Deletes the announcement of these files and returns its author, its version to restore and the reason. Empty where there is none. */
async function takeAnnouncement(trx: Database, digest: string) {
  const taken = await trx
    .deleteFrom('ruleAnnouncements')
    .where('digest', '=', digest)
    .returning(['author', 'restores'])
    .executeTakeFirst();
  return taken
    ? { ...taken, reason: taken.restores === null ? ('change' as const) : ('rollback' as const) }
    : {};
}

export function ruleDraftStore(db: Database): RuleDraftStore {
  /** False where there is no such draft, or it is of another revision. */
  const update = (id: string, revision: number, change: Partial<NewRow<'ruleDrafts'>>) =>
    hasChanged(
      db.updateTable('ruleDrafts').set(change).where('id', '=', id).where('revision', '=', revision),
    );
  return {
    async list() {
      const drafts = db.selectFrom('ruleDrafts').selectAll().orderBy('savedAt', 'desc').orderBy('id', 'desc');
      return (await drafts.execute()).map(toDraft);
    },
    async find(id) {
      const row = await db.selectFrom('ruleDrafts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toDraft(row);
    },
    async create(draft) {
      await db.insertInto('ruleDrafts').values(toRow(draft)).execute();
    },
    save: (draft) => update(draft.id, draft.revision - 1, toRow(draft)),
    noteBacktest: (id, backtest) => update(id, backtest.revision, { backtest: JSON.stringify(backtest) }),
    async discard(id, revision) {
      let doomed = db.deleteFrom('ruleDrafts').where('id', '=', id);
      if (revision !== undefined) doomed = doomed.where('revision', '=', revision);
      return hasChanged(doomed);
    },
  };
}

function toRow({ author, savedBy, base, files, backtest, ...draft }: RuleDraft): NewRow<'ruleDrafts'> {
  return {
    ...draft,
    author: author.name,
    authorId: author.id,
    savedBy: savedBy.name,
    savedById: savedBy.id,
    baseHash: base.hash,
    baseDigest: base.digest,
    baseFiles: JSON.stringify(base.files),
    files: JSON.stringify(files),
    backtest: backtest && JSON.stringify(backtest),
  };
}

function toDraft(row: Selectable<Schema['ruleDrafts']>): RuleDraft {
  const { author, authorId, savedBy, savedById, baseHash, baseDigest, baseFiles, ...draft } = row;
  return {
    ...draft,
    author: { id: authorId, name: author },
    savedBy: { id: savedById, name: savedBy },
    base: { hash: baseHash, digest: baseDigest, files: JSON.parse(baseFiles) },
    files: JSON.parse(draft.files),
    backtest: draft.backtest === null ? null : JSON.parse(draft.backtest),
  };
}
