import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { publishedVersions, RulesDatabase } from '../../../src/checks/rules-database.ts';
import { writeRuleFiles } from '../../../src/checks/rules-directory.ts';
import type { Logger } from '../../../src/observability/logger.ts';
import {
  findUpgrade,
  placeInDatabase,
  publishFirstRules,
} from '../../../src/rule-lab/versions/shipped-rules.ts';
import { digestOf, type RuleFiles } from '../../../src/rules/rule-files.ts';
import type { Storage } from '../../../src/storage/ports.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { NOON, rulesOf } from '../../checks/some-instances.ts';
import { aCollector, aFact, aLocalProvider } from '../../support/providers.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let storage: Storage;
let root: string;
beforeEach(async () => {
  root = temporaryDirectory();
  storage = await openSqliteStorage({ file: join(root, 'postern.db'), durability: 'commit' });
  onTestFinished(() => storage.close());
});

const clock = { now: () => NOON };
const dir = () => join(root, 'rules');
const shippedDir = () => join(root, 'shipped');

async function publishFirst({ isShipped = true } = {}) {
  const provider = aLocalProvider('x', { facts: [aFact('x.seen', { never_unknown: true })] });
  const { collector } = await aCollector([provider]);
  const rules = { dir: dir(), shippedDir: isShipped ? shippedDir() : null };
  const log = { info: vi.fn(), warn: vi.fn() };
  await publishFirstRules({
    ...{ rules, storage, catalogue: collector.catalogue, clock, log: log as unknown as Logger },
  });
  const source = new RulesDatabase({ versions: storage.ruleVersions, clock, feed: null });
  return { rules, log, source, files: (await source.read()).files };
}

const versions = async () =>
  (await storage.ruleVersions.list()).map(({ version, reason, digest }) => [version, reason, digest]);

describe('the first rules in a database', () => {
  beforeEach(() => writeRuleFiles(shippedDir(), {}, rulesOf(10)));

  it('are those of rules.dir, so that nothing is lost by the move; later changes of the directory are not read', async () => {
    await writeRuleFiles(dir(), {}, rulesOf(20));
    const { files, log } = await publishFirst();
    expect(files).toEqual(rulesOf(20));
    expect(await storage.ruleVersions.published()).toEqual({
      ...{ version: 1, reason: 'start', author: null, restores: null, at: '2026-11-20T12:00:00.000Z' },
      ...{ digest: digestOf(rulesOf(20)), hash: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    expect(log.info).toHaveBeenCalledWith({ version: 1, from: dir() }, expect.any(String));

    await writeRuleFiles(dir(), rulesOf(20), rulesOf(30));
    expect((await publishFirst()).files).toEqual(rulesOf(20));
    expect(await versions()).toHaveLength(1);
  });

  it('are the shipped ones where the directory does not exist', async () => {
    expect((await publishFirst()).files).toEqual(rulesOf(10));
  });

  it('are those that were in force last where the directory is on another machine', async () => {
    const last = { hash: null, digest: digestOf(rulesOf(40)), author: null, restores: null } as const;
    const at = '2026-11-20T11:00:00.000Z';
    await storage.ruleVersions.add({ ...last, reason: 'change', at }, rulesOf(40));
    expect((await publishFirst()).files).toEqual(rulesOf(40));
    expect((await publishedVersions(storage.ruleVersions).last())?.version).toBe(2);
  });

  it('are kept where a directory has been in force meanwhile, and the log reports it', async () => {
    await publishFirst();
    const later = { hash: null, digest: digestOf(rulesOf(40)), author: null, restores: null } as const;
    await storage.ruleVersions.add(
      { ...later, reason: 'change', at: '2026-11-20T13:00:00.000Z' },
      rulesOf(40),
    );
    const { files, log } = await publishFirst();
    expect(files).toEqual(rulesOf(10));
    expect(log.warn).toHaveBeenCalledWith({ published: 1, since: 2 }, expect.any(String));
  });

  it('are not published where an address of a list is miswritten, and the failed start does not quote it', async () => {
    const list = '- { value: jane.doe@x y.org, reason: r, owner: o }';
    await writeRuleFiles(dir(), {}, { ...rulesOf(20), 'deny.yaml': list });
    await expect(publishFirst()).rejects.toMatchObject({
      faults: [expect.stringMatching(/deny\.yaml:1:12 error bad_list_value "postern rules lint" says/)],
    });
  });

  it('are not published with an error, which is named', async () => {
    await writeRuleFiles(dir(), {}, { ...rulesOf(20), 'a.yaml': 'group: [' });
    await expect(publishFirst()).rejects.toMatchObject({
      faults: [expect.stringContaining(`${dir()}/a.yaml:1:`)],
    });
    expect(await versions()).toEqual([]);
  });

  it('have the shipped rules as their base, so that newer shipped ones are merged into them', async () => {
    const own = { ...rulesOf(10), 'deny.yaml': '# ours\n[]\n' };
    await writeRuleFiles(dir(), {}, own);
    const { rules, source } = await publishFirst();
    const place = placeInDatabase(source, storage.state);
    expect(await findUpgrade(rules, {}, place)).toBeNull();
    await writeRuleFiles(shippedDir(), rulesOf(10), rulesOf(15));
    const found = await findUpgrade(rules, {}, place);
    expect(found).toMatchObject({ files: { ...rulesOf(15), 'deny.yaml': own['deny.yaml'] }, conflicts: [] });
    if (found) await place.keepBase(found.base, found.shipped);
    expect(await place.base()).toEqual(rulesOf(15) satisfies RuleFiles);
  });

  it('have no base for newer shipped rules where the directory belongs to the operator', async () => {
    await writeRuleFiles(dir(), {}, rulesOf(20));
    await publishFirst({ isShipped: false });
    expect(await storage.state.find('rules_base')).toBeUndefined();
  });
});
