import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { RulesDatabase } from '../../src/checks/rules-database.ts';
import { RulesDirectory, writeRuleFiles } from '../../src/checks/rules-directory.ts';
import { digestOf } from '../../src/rules/rule-files.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aChangeFeed } from '../support/change-feed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { describeRuleSource, FIRST } from './rule-source-contract.ts';

describeRuleSource('a directory', async () => {
  const dir = temporaryDirectory();
  await writeRuleFiles(dir, {}, FIRST);
  return () => new RulesDirectory(dir);
});

// The store is the same for both dialects; PostgreSQL and concurrent publishing are tested in rules-database.test.ts.
describeRuleSource('a database', async () => {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  onTestFinished(() => storage.close());
  const feed = aChangeFeed();
  const { ruleVersions } = storage;
  const at = '2026-11-20T10:00:00.000Z';
  const first = { ...{ hash: null, author: null, restores: null, at }, digest: digestOf(FIRST) };
  await ruleVersions.publish({ ...first, reason: 'start' }, FIRST, null);
  const versions: typeof ruleVersions = {
    ...ruleVersions,
    async publish(...given) {
      const published = await ruleVersions.publish(...given);
      if (published) await feed.announce();
      return published;
    },
  };
  return () => new RulesDatabase({ versions, feed, clock: { now: () => Date.parse(at) } });
});
