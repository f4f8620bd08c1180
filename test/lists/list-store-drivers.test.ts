import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rollBackList } from '../../src/lists/list-store.ts';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { openPostgresListStore } from '../../src/storage/postgres/postgres-records.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { describePostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { numbered, setUp, URL } from './a-list.ts';
import { describeListStore } from './list-store-contract.ts';

describeListStore('directory', async () => {
  const dataDir = temporaryDirectory();
  return {
    open: () => new DirectoryListStore(dataDir),
    damage: async ({ id }, { sha256 }) =>
      writeFileSync(join(dataDir, 'lists', `${id}.${sha256.slice(0, 16)}.txt`), 'x'),
  };
});

describePostgres('on a server', (database) => {
  const open = () => {
    const opened = openPostgresListStore(database.url);
    onTestFinished(() => opened[Symbol.asyncDispose]());
    return opened.store;
  };
  const empty = async () => {
    await database.empty();
    await (await openPostgresStorage({ url: database.url, durability: 'commit' })).close();
  };

  describeListStore('postgres', async () => {
    await empty();
    return {
      open,
      damage: async (_list, { sha256 }) =>
        void (await database.query("UPDATE list_snapshots SET text = 'x' WHERE sha256 = $1", [sha256])),
    };
  });

  it('an update and a rollback by one instance are in force for another', async () => {
    await empty();
    const [here, there] = [setUp(open()), open()];
    here.serve(numbered(20), '"1"');
    await here.update();
    here.serve(numbered(21), '"2"');
    expect(await here.update()).toMatchObject({ result: 'taken', entries: 21, added: 1 });
    expect(Object.keys(await here.records())).toHaveLength(21);
    expect(await rollBackList(URL, there)).toMatchObject({
      ok: true,
      from: { entries: 21 },
      to: { entries: 20 },
    });
    expect(Object.keys(await here.records())).toHaveLength(20);
    expect(await here.update()).toMatchObject({ result: 'refused', reason: 'it is what was rolled back' });
  });
});
