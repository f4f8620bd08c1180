import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RulesDatabase } from '../../src/checks/rules-database.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aChangeFeed } from '../support/change-feed.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { NOON, rulesOf, startInstance } from './some-instances.ts';

let storage: Storage;
beforeEach(async () => {
  const file = join(temporaryDirectory(), 'postern.db');
  storage = await openSqliteStorage({ file, durability: 'commit' });
  onTestFinished(() => storage.close());
});
afterEach(() => vi.useRealTimers());

const history = async () =>
  (await storage.ruleVersions.list())
    .map(({ version, reason, author }) => `${version} ${reason} ${author}`)
    .reverse();

describe('rules that are published in the database', () => {
  it('come into force on every instance as one version, with the name of the person who published it', async () => {
    const feed = aChangeFeed();
    const one = await startInstance({ storage, feed });
    const other = await startInstance({ storage, feed });
    await one.publish(rulesOf(20), 'ann');
    await feed.announce();
    await Promise.all([one.reloader.idle(), other.reloader.idle()]);
    expect([one.score(), other.score()]).toEqual([[20], [20]]);
    expect(one.inForce()).toEqual(other.inForce());
    expect(await history()).toEqual(['1 start null', '2 change ann']);
    expect(await one.versions.last()).toMatchObject({ version: 2, hash: other.inForce().hash });
    expect([one.reloader.complaint, other.reloader.complaint]).toEqual([undefined, undefined]);
  });

  it('come into force while the tests of the rules of the start still run', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const feed = aChangeFeed();
    const one = await startInstance({ storage, feed });
    await one.reloader.idle();
    const tests = Promise.withResolvers<never>();
    one.judged.mockReturnValueOnce(tests.promise);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(one.judged).toHaveBeenCalledOnce();
    await one.publish(rulesOf(20));
    await feed.announce();
    await one.reloader.idle();
    expect(one.score()).toEqual([20]);
    tests.reject(new Error('the service stops'));
  });

  it('make no version at a start, nor at SIGHUP', async () => {
    const one = await startInstance({ storage, feed: aChangeFeed() });
    expect(await one.reloader.reload()).toEqual([]);
    expect(await history()).toEqual(['1 start null']);
  });

  it('are recorded under each hash that decides: a different hash of another release of the program is a version', async () => {
    const feed = aChangeFeed();
    await startInstance({ storage, feed });
    const { ruleVersions } = storage;
    const found = await ruleVersions.published();
    const older = { hash: 'aaaaaaaaaaaaaaaa', digest: found?.digest ?? '', author: null, restores: null };
    const at = '2026-11-20T11:30:00.000Z';
    await ruleVersions.publish({ ...older, reason: 'change', at }, rulesOf(10), 1);
    const [one, other] = await Promise.all([
      startInstance({ storage, feed }),
      startInstance({ storage, feed }),
    ]);
    expect(await history()).toEqual(['1 start null', '2 change null', '3 start null']);
    expect((await ruleVersions.published())?.hash).toBe(one.inForce().hash);
    expect(one.inForce()).toEqual(other.inForce());
  });

  it('are read again where a backup was restored, in which the number belongs to other rules', async () => {
    const published = vi.fn(storage.ruleVersions.published);
    const filesOf = vi.fn(storage.ruleVersions.filesOf);
    const one = await startInstance({ storage, feed: aChangeFeed(), versions: { published, filesOf } });
    const found = await storage.ruleVersions.published();
    await one.source.read();
    expect(filesOf).toHaveBeenCalledTimes(1);
    published.mockResolvedValue(found && { ...found, digest: 'other' });
    filesOf.mockResolvedValue(rulesOf(70));
    expect(await one.source.read()).toEqual({ dir: 'version 1', digest: 'other', files: rulesOf(70) });
  });

  it('are refused by an instance that lacks a provider, which keeps its own rules and reports why; the others use them', async () => {
    const feed = aChangeFeed();
    const one = await startInstance({ storage, feed, providers: ['x', 'y'] });
    const older = await startInstance({ storage, feed });
    await one.publish(rulesOf(30, { fact: 'y.seen' }));
    await feed.announce();
    await Promise.all([one.reloader.idle(), older.reloader.idle()]);
    expect([one.score(), older.score()]).toEqual([[30], [10]]);
    expect(one.reloader.complaint).toBeUndefined();
    expect(older.reloader.complaintText).toMatch(
      /^what is published is not in force \(2026-11-20T12:00:00\.000Z, \d faults?\): version 2\/a\.yaml:\d+:\d+ .*y\.seen/,
    );
    // The state of one instance is not reported for all.
    expect(await storage.ruleVersions.complaint()).toBeUndefined();

    await one.publish(rulesOf(10));
    await feed.announce();
    await older.reloader.idle();
    expect([older.score(), older.reloader.complaint]).toEqual([[10], undefined]);
  });

  it('are judged in this process while they are small, so that no instance waits for another process to start', async () => {
    const feed = aChangeFeed();
    const one = await startInstance({ storage, feed });
    await one.publish(rulesOf(20));
    await feed.announce();
    await one.reloader.idle();
    expect([one.score(), one.judged.mock.calls]).toEqual([[20], []]);

    await one.publish({ ...rulesOf(30), 'big.yaml': `# ${'x'.repeat(200_000)}\ngroup: big\n` });
    await feed.announce();
    await one.reloader.idle();
    expect(one.judged).toHaveBeenCalledTimes(1);
  });

  it('stay in force while the database is unreachable, which is not reported as their fault, and are read when it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isAway = false;
    const { ruleVersions } = storage;
    const published = () =>
      isAway ? Promise.reject(new Error('connection refused')) : ruleVersions.published();
    const feed = aChangeFeed();
    const one = await startInstance({ storage, feed, versions: { published } });
    await one.reloader.idle();
    await one.publish(rulesOf(20));
    isAway = true;
    await feed.announce();
    await one.reloader.idle();
    expect([one.score(), one.reloader.complaint, one.log.error.mock.calls]).toEqual([[10], undefined, []]);
    expect(await one.reloader.reload()).toEqual(['the published rules cannot be read: connection refused']);
    isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await one.reloader.idle();
    expect(one.score()).toEqual([20]);
  });

  it('with an expiry become one new version when it passes, with one hash on every instance', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = NOON;
    const shared = { storage, feed: aChangeFeed(), clock: { now: () => now } };
    const one = await startInstance(shared);
    const other = await startInstance(shared);
    await one.publish(rulesOf(20, { expires: '2026-11-20T13:00:00Z' }));
    await shared.feed.announce();
    await Promise.all([one.reloader.idle(), other.reloader.idle()]);
    const { hash } = one.inForce();
    now += 3_600_001;
    await vi.advanceTimersByTimeAsync(3_600_001);
    await eventually(() => {
      expect(one.inForce().hash).not.toBe(hash);
      expect(other.inForce().hash).not.toBe(hash);
    });
    expect(await history()).toEqual(['1 start null', '2 change jo', '3 expiry null']);
    expect(await one.versions.last()).toMatchObject({ version: 3, hash: other.inForce().hash });
    await shared.feed.announce();
    await one.reloader.idle();
    expect(one.inForce().hash).toBe(other.inForce().hash);
  });

  it('do not exist before the first start, and commands report that', async () => {
    const source = new RulesDatabase({
      versions: storage.ruleVersions,
      clock: { now: () => NOON },
      feed: null,
    });
    expect(await source.read()).toEqual({
      files: null,
      faults: ['no rules are published yet: the first start of the service does it'],
    });
    const publishing = { author: 'jo', restores: null, hash: null };
    await expect(source.publish({}, rulesOf(1), publishing)).rejects.toThrow(
      'no rules are published yet; nothing was written: try again',
    );
    expect(await history()).toEqual([]);
  });
});
