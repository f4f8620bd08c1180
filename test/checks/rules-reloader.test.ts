import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ActivePolicy } from '../../src/checks/active-policy.ts';
import { InProcessJudge, type RuleJudge } from '../../src/checks/rule-judge.ts';
import { readRules } from '../../src/checks/rule-source.ts';
import { RulesDirectory } from '../../src/checks/rules-directory.ts';
import { RulesReloader } from '../../src/checks/rules-reloader.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { DECISION, group, is, points, when } from '../rules/rules-directory.ts';
import { eventually } from '../support/eventually.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const rules = (amount: number, expires = '') =>
  group('a', { r: `${points(amount)}, ${when(is('x.seen', true))}${expires && `, expires: ${expires}`}` });
const tests = (score: number) => `- { name: seen, facts: { x.seen: true }, expect: { score: ${score} } }\n`;

afterEach(() => vi.useRealTimers());

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  readonly dir?: string;
  readonly judge?: (real: RuleJudge) => Partial<RuleJudge>;
}

/** A reloader over files, as at a start of the service; pauses end at once. */
async function start({
  files = {},
  dataDir = temporaryDirectory(),
  dir = temporaryDirectory(),
  judge,
}: World) {
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const hasChallenger = files['challenger/decision.yaml'] !== undefined;
  let now = NOON;
  const clock = { now: () => now };
  const provider = aLocalProvider('x', { facts: [aFact('x.seen', { never_unknown: true })] });
  const { collector } = await aCollector([provider]);
  const log = { ...createLogger('silent'), error: vi.fn(), info: vi.fn(), warn: vi.fn() };
  const policies = await ActivePolicy.open({
    ...{
      source: new RulesDirectory(dir),
      challengerSource: hasChallenger ? new RulesDirectory(join(dir, 'challenger')) : null,
      providerOptions: {},
      collector,
      downloads: async () => [],
      clock,
      metrics: noMetrics,
    },
    log: log as unknown as ReturnType<typeof createLogger>,
  });
  const storage = await openSqliteStorage({ file: join(dataDir, 'postern.db'), durability: 'commit' });
  const real = new InProcessJudge({ collector, providerOptions: {} });
  const reloader = new RulesReloader({
    ...{ policies, versions: storage.ruleVersions, clock },
    judge: { judge: (sources, at) => real.judge(sources, at), close: () => undefined, ...judge?.(real) },
    log: log as unknown as ReturnType<typeof createLogger>,
    pause: async () => undefined,
  });
  await reloader.begin();
  const stop = async () => {
    await reloader.close();
    policies.close();
    await storage.close();
  };
  onTestFinished(stop);
  return {
    reader: { collector, clock },
    ...{ reloader, policies, storage, write, stop, dir, dataDir, log, versions: storage.ruleVersions },
    remove: (name: string) => rmSync(join(dir, name)),
    /** What the watcher does, awaited. */
    async changed() {
      reloader.changed();
      // Later calls are served later.
      await reloader.idle();
    },
    score: () => policies.current.ruleSet.points.map((rule) => rule.points),
    history: async () =>
      (await storage.ruleVersions.list()).map(({ version, reason }) => `${version} ${reason}`).reverse(),
    async wait(ms: number) {
      now += ms;
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}

const FILES = { 'decision.yaml': DECISION, 'a.yaml': rules(10), 'tests/a.yaml': tests(10) };

describe('RulesReloader', () => {
  it('stores each set with its files before it decides anything, and records who owns the newest files', async () => {
    const { write, changed, versions, policies, history, log } = await start({ files: FILES });
    write('a.yaml', rules(20));
    write('tests/a.yaml', tests(20));
    await changed();
    expect(await history()).toEqual(['1 start', '2 change']);
    expect(await versions.last()).toMatchObject({
      hash: policies.current.ruleSet.hash,
      digest: policies.current.sources.digest,
      author: expect.stringMatching(/^\S+ \(owns (a|tests\/a)\.yaml\)$/),
      at: '2026-11-20T12:00:00.000Z',
    });
    expect(await versions.filesOf(1)).toEqual(FILES);
    expect(log.error).not.toHaveBeenCalled();
  });

  it('makes no version of rules that are in force already: not at a restart, at SIGHUP, or for a touched file', async () => {
    const first = await start({ files: FILES });
    first.write('a.yaml', rules(10));
    await first.changed();
    await first.reloader.reload();
    await first.stop();
    const second = await start(first);
    expect(await second.history()).toEqual(['1 start']);
  });

  it('makes a version for changed comments and tests, although the hash is the same', async () => {
    const { write, changed, versions } = await start({ files: FILES });
    const before = await versions.last();
    write('a.yaml', `# why\n${rules(10)}`);
    await changed();
    expect(await versions.last()).toMatchObject({ version: 2, hash: before?.hash });
  });

  it('stores the set that an expiry makes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { versions, wait, policies } = await start({
      files: { ...FILES, 'a.yaml': rules(10, '2026-11-20T13:00:00Z'), 'tests/a.yaml': '' },
    });
    await wait(HOUR_MS + 1);
    await eventually(async () =>
      expect(await versions.last()).toMatchObject({ version: 2, reason: 'expiry', author: null }),
    );
    // It is stored before it decides.
    await eventually(async () => expect(policies.current.ruleSet.hash).toBe((await versions.last())?.hash));
  });

  it('uses a new challenger without a version, and keeps the previous one when the new one is invalid', async () => {
    const challenger = { 'challenger/decision.yaml': DECISION, 'challenger/a.yaml': rules(30) };
    const { write, changed, reloader, policies, history, log } = await start({
      files: { ...FILES, ...challenger },
    });
    const inForce = () => policies.current.challenger?.ruleSet.points.map((rule) => rule.points);
    const { ruleSet } = policies.current;
    await changed();
    expect(log.info).not.toHaveBeenCalled();
    write('challenger/a.yaml', rules(40));
    await changed();
    expect(inForce()).toEqual([40]);
    write('challenger/a.yaml', 'group: [');
    await changed();
    await changed();
    expect(inForce()).toEqual([40]);
    expect(log.error).toHaveBeenCalledTimes(1);
    write('challenger/a.yaml', rules(50));
    expect(await reloader.reload()).toEqual([]);
    expect(inForce()).toEqual([50]);
    expect(policies.current.ruleSet.hash).toBe(ruleSet.hash);
    expect([await history(), reloader.complaint]).toEqual([['1 start'], undefined]);
  });

  it('keeps the old set in force when a test fails, reports the test and the reason, and recovers with the file', async () => {
    const { write, changed, reloader, versions, score, log } = await start({ files: FILES });
    write('a.yaml', rules(20));
    await changed();
    expect(score()).toEqual([10]);
    expect(reloader.complaint).toEqual(await versions.complaint());
    expect(reloader.complaint?.kind).toBe('refused');
    expect(reloader.complaint?.faults).toEqual([
      expect.stringMatching(/tests\/a\.yaml:1:3 test "seen" failed: score expected 10, was 20$/),
    ]);
    expect(reloader.complaintText).toMatch(
      /^what lies in rules\.dir is not in force \(2026-11-20T12:00:00\.000Z, 1 fault\): .* was 20$/,
    );
    // The same files are not refused twice.
    await changed();
    expect(log.error).toHaveBeenCalledTimes(1);
    write('a.yaml', rules(10));
    await changed();
    expect([reloader.complaint, await versions.complaint()]).toEqual([undefined, undefined]);
    expect(await versions.list()).toHaveLength(1);
  });

  it('refuses rules with lint errors, and accepts the valid ones after them', async () => {
    const { write, changed, reloader, score } = await start({ files: FILES });
    write('a.yaml', 'group: [');
    await changed();
    expect(reloader.complaint?.faults).toEqual([expect.stringContaining('a.yaml:1:')]);
    write('a.yaml', rules(30));
    write('tests/a.yaml', tests(30));
    await changed();
    expect(score()).toEqual([30]);
    expect(reloader.complaint).toBeUndefined();
  });

  it('tells where an address of a list is miswritten, and writes no local part into the log', async () => {
    const { write, changed, reloader, log } = await start({ files: FILES });
    write('deny.yaml', '- { value: jane.doe@x y.org, reason: r, owner: o }\n');
    await changed();
    expect(reloader.complaint?.faults).toEqual([
      expect.stringMatching(/deny\.yaml:1:12 error bad_list_value "postern rules lint" says what is wrong$/),
    ]);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(log.error.mock.calls)).not.toContain('jane');
  });

  it('uses no set that cannot be stored, and tries again later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { write, changed, reloader, score, versions, wait } = await start({ files: FILES });
    const add = vi.spyOn(versions, 'add').mockRejectedValueOnce(new Error('disk is full'));
    write('a.yaml', rules(20));
    write('tests/a.yaml', tests(20));
    await changed();
    expect(score()).toEqual([10]);
    expect(reloader.complaint?.faults).toEqual([
      expect.stringMatching(/^the rule set [0-9a-f]{16} cannot be stored as a version: disk is full$/),
    ]);
    add.mockRestore();
    await wait(60_000);
    await reloader.idle();
    expect(score()).toEqual([20]);
    expect(reloader.complaint).toBeUndefined();
  });

  it('does not take a crash of the judge for a verdict', async () => {
    let falls = true;
    const judge = (real: RuleJudge): Partial<RuleJudge> => ({
      judge: (sources, now) => (falls ? Promise.reject(new Error('it fell')) : real.judge(sources, now)),
    });
    const { write, changed, reloader, score } = await start({ files: FILES, judge });
    write('a.yaml', rules(20));
    write('tests/a.yaml', tests(20));
    await changed();
    expect(reloader.complaint).toMatchObject({ digest: null, faults: ['it fell'] });
    falls = false;
    await changed();
    expect(score()).toEqual([20]);
  });

  it('starts with rules whose tests fail, and reports that until they are repaired, also after restarts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const first = await start({ files: { ...FILES, 'tests/a.yaml': tests(99) } });
    expect(first.score()).toEqual([10]);
    await first.wait(5_000);
    await eventually(async () => expect(await first.versions.complaint()).toMatchObject({ kind: 'failing' }));
    expect(first.log.warn).toHaveBeenCalledWith(
      { faults: [expect.stringContaining('score expected 99, was 10')], ruleset: expect.any(String) },
      'the tests of the rules in force fail',
    );
    await first.stop();
    const second = await start({ dir: first.dir, dataDir: first.dataDir });
    expect(second.reloader.complaint?.kind).toBe('failing');
    second.write('tests/a.yaml', tests(10));
    await second.changed();
    expect(second.reloader.complaint).toBeUndefined();
  });

  it('reports again that tests of the rules in force fail once the refused rules are removed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { write, changed, reloader, versions, wait } = await start({
      files: { ...FILES, 'tests/a.yaml': tests(99) },
    });
    await wait(5_000);
    await eventually(async () => expect(await versions.complaint()).toMatchObject({ kind: 'failing' }));
    const failing = reloader.complaint;
    write('a.yaml', 'group: [');
    await changed();
    expect(reloader.complaint?.kind).toBe('refused');
    write('a.yaml', rules(10));
    await changed();
    expect([reloader.complaint, await versions.complaint()]).toEqual([failing, failing]);
  });

  it('tests the rules of a start also when a read fails before, and keeps the refused rules visible', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let falls = true;
    const { write, changed, reloader, log, wait } = await start({
      files: { ...FILES, 'tests/a.yaml': tests(99) },
      judge: (real) => ({
        judge: (sources, now) => (falls ? Promise.reject(new Error('it fell')) : real.judge(sources, now)),
      }),
    });
    write('a.yaml', rules(20));
    await changed();
    expect(reloader.complaint).toMatchObject({ kind: 'refused', digest: null });
    falls = false;
    await wait(5_000);
    await eventually(() =>
      expect(log.warn).toHaveBeenCalledWith(expect.anything(), 'the tests of the rules in force fail'),
    );
    expect(reloader.complaint?.kind).toBe('refused');
    write('a.yaml', rules(10));
    await changed();
    expect(reloader.complaint?.kind).toBe('failing');
  });

  it('drops at a start what was refused before: invalid rules would stop the start', async () => {
    const first = await start({ files: FILES });
    first.write('a.yaml', 'group: [');
    await first.changed();
    await first.stop();
    first.write('a.yaml', rules(10));
    const second = await start({ dir: first.dir, dataDir: first.dataDir });
    expect([second.reloader.complaint, await second.versions.complaint()]).toEqual([undefined, undefined]);
  });

  it('starts where the version cannot be stored: only the records must be', async () => {
    const first = await start({ files: FILES });
    vi.spyOn(first.versions, 'add').mockRejectedValue(new Error('disk is full'));
    first.write('a.yaml', rules(20));
    await first.policies.take(() => readRules(first.policies.source, first.reader), 'sighup');
    await expect(first.reloader.begin()).resolves.toBeUndefined();
    expect(first.log.error).toHaveBeenCalled();
  });

  it('cancels a read of the challenger when it is closed: nothing is judged or logged afterwards', async () => {
    let judged = 0;
    const { promise: isJudging, resolve: judging } = Promise.withResolvers<void>();
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    const { write, reloader, log } = await start({
      files: { ...FILES, 'challenger/decision.yaml': DECISION, 'challenger/a.yaml': rules(30) },
      judge: () => ({
        judge: () => {
          judged += 1;
          judging();
          return ended;
        },
        close: () => end(new Error('ended with SIGKILL before it answered')),
      }),
    });
    write('challenger/a.yaml', rules(40));
    write('a.yaml', rules(20));
    reloader.changed();
    await isJudging;
    await reloader.close();
    expect([judged, log.error.mock.calls]).toEqual([1, []]);
  });

  it('reloads nothing once it is closed', async () => {
    const { write, reloader, changed, score } = await start({ files: FILES });
    await reloader.close();
    write('a.yaml', rules(20));
    write('tests/a.yaml', tests(20));
    await changed();
    expect(await reloader.reload()).toEqual([]);
    expect(score()).toEqual([10]);
  });
});
