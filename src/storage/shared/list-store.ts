import { hash } from 'node:crypto';
import type { ListChange, ListState, ListStore, ListsState } from '../../lists/list-store.ts';
import { type Database, type HoldTable, put } from './schema.ts';

/** Downloaded lists in two tables, for instances that share a database: the state of each list, and the texts of its snapshots. */
export function listStore(db: Database, hold: HoldTable): ListStore {
  return {
    async version() {
      const rows = await statesIn(db);
      return rows.length === 0 ? null : hash('sha256', JSON.stringify(rows));
    },
    read: () => readState(db),
    readSnapshot: (list, kept) => readSnapshot(db, list, kept.sha256),
    exclusively: (work) =>
      db.transaction().execute(async (trx) => {
        // Readers go on. Another change waits, at most as long as a statement may take.
        await hold(trx, 'downloadedLists');
        return work(await changeOf(trx));
      }),
  };
}

async function changeOf(trx: Database): Promise<ListChange> {
  return {
    state: await readState(trx),
    readSnapshot: (list, kept) => readSnapshot(trx, list, kept.sha256),
    async writeSnapshot({ id: listId }, text) {
      const sha256 = hash('sha256', text);
      // Replaces a damaged snapshot.
      await put(trx, 'listSnapshots', ['listId', 'sha256'], { listId, sha256, text });
      return sha256;
    },
    async save(url, list) {
      await put(trx, 'downloadedLists', ['url'], { url, state: JSON.stringify(list) });
      const kept = list.snapshots.map(({ sha256 }) => sha256);
      const others = trx.deleteFrom('listSnapshots').where('listId', '=', list.id);
      await (kept.length === 0 ? others : others.where('sha256', 'not in', kept)).execute();
    },
  };
}

function statesIn(db: Database) {
  return db.selectFrom('downloadedLists').select(['url', 'state']).orderBy('url').execute();
}

async function readState(db: Database): Promise<ListsState> {
  const rows = await statesIn(db);
  // Not validated: no other program writes these rows.
  return { format: 1, lists: Object.fromEntries(rows.map(({ url, state }) => [url, JSON.parse(state)])) };
}

async function readSnapshot(db: Database, { id }: ListState, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('listSnapshots')
    .select('text')
    .where('listId', '=', id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row && hash('sha256', row.text) === sha256 ? row.text : undefined;
}
