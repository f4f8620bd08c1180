import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/app/config/load-config.ts';
import { checkProviderOptions } from '../../../src/app/config/provider-options.ts';
import { readRuleSources } from '../../../src/checks/rules-directory.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { MOST_WAITING, queueRuleJobs } from '../../../src/rule-lab/editing/rule-jobs.ts';
import { discoverProviders } from '../../../src/signals/discover-providers.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { aProgram } from '../../support/a-program.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const BUILT = pathToFileURL(join(packageRoot, 'dist/src/app/job.process.js'));

/** On a busy machine four processes that start at once may take longer than the limit of a service. */
const UNHURRIED_MS = 120_000;

async function someRuleJobs(entry: URL, limitMs?: number) {
  const dataDir = temporaryDirectory();
  const loaded = await loadConfig({ dataDir, files: [], env: {}, cwd: packageRoot });
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  const providerOptions = checkProviderOptions(loaded, [...enabled, ...disabled]);
  const limit = limitMs === undefined ? {} : { limitMs };
  const jobs = queueRuleJobs({ config: loaded.config, providerOptions, entry, ...limit });
  onTestFinished(() => jobs.close());
  return { jobs, config: loaded.config, files: (await readRuleSources(join(packageRoot, 'rules'))).files };
}

describe('queueRuleJobs', () => {
  it('lints, tests and replays the shipped rules concurrently', async () => {
    const { jobs, config, files } = await someRuleJobs(BUILT, UNHURRIED_MS);
    const storage = await openSqliteStorage({ file: config.storage.url, durability: 'commit' });
    onTestFinished(() => storage.close());
    const denied = { ...files, 'deny.yaml': '- { value: x.org, reason: r, owner: o }\n' };
    const order = { candidate: denied, addresses: new Map([['ab', 'a@x.org']]), download: null };
    const [problems, tests, answer, shadow, effect] = await Promise.all([
      jobs.lint(files),
      jobs.test(files),
      jobs.replay({ base: files, candidate: files, days: 30, costRatio: 1 }),
      jobs.shadow({ files, days: 30 }),
      jobs.listEffect({ ...order, base: files, days: 30 }),
    ]);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(tests.passed).toBeGreaterThan(30);
    expect(answer).toMatchObject({ replay: { corpus: { checks: 0 }, rule_sets: { candidate: tests.hash } } });
    expect(effect).toMatchObject({ checks: 0, touched: 0, unseen: [] });
    expect(shadow).toMatchObject({ ruleset: tests.hash, checks: 0 });
  });

  it('compares and merges in its process', async () => {
    const { jobs } = await someRuleJobs(BUILT);
    const [before, after] = [{ 'a.yaml': 'a\n' }, { 'a.yaml': 'b\n' }];
    const patch = expect.stringContaining('-a\n+b\n');
    expect(await jobs.compare({ before, after })).toMatchObject({
      patch,
      changes: null,
      faulty: ['before', 'after'],
    });
    expect(await jobs.patch({ before, after })).toEqual(patch);
    expect(await jobs.merge({ base: before, mine: after, theirs: before })).toEqual({
      files: after,
      conflicts: [],
    });
  });

  it('reads and edits lists in its process', async () => {
    const { jobs } = await someRuleJobs(BUILT);
    const [file, text] = ['deny.yaml', '- { value: x.org, reason: r, owner: o }\n'];
    const entry = { value: 'x.org', reason: 'r', owner: 'o' };
    expect(await jobs.readList({ file, text })).toEqual({ entries: [entry], faults: [] });
    expect(await jobs.editList({ file, text, change: { kind: 'remove', value: 'x.org' } })).toBe('[]\n');
    await expect(jobs.editList({ file, text, change: { kind: 'add', entry } })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body/change/entry/value', message: 'it stands in deny.yaml already: r' }],
    });
  });

  it('reports why it could not answer', async () => {
    const { jobs, files } = await someRuleJobs(BUILT);
    await expect(jobs.replay({ base: files, candidate: files, days: 30, costRatio: 1 })).rejects.toThrow(
      'unable to open database file',
    );
  });

  it('answers with Retry-After when its process crashes, only for the job of the crash, and starts a new process', async () => {
    const { jobs, files } = await someRuleJobs(
      aProgram(`if (m.job) m.job === 'test' ? process.exit(3) : process.send({ output: 'patch' });`),
    );
    for (let time = 0; time < 2; time += 1) {
      const [fell, after] = [jobs.test(files), jobs.patch({ before: {}, after: {} })];
      await expect(fell).rejects.toMatchObject({
        ...{ code: 'busy', retryAfterMs: 2_000 },
        details: [{ message: 'the process that works on rules ended with 3 before it answered' }],
      });
      expect(await after).toBe('patch');
    }
  });

  it('answers with Retry-After when a job takes too long, and without it for lint; the next job is answered', async () => {
    const { jobs, files } = await someRuleJobs(
      aProgram(`if (m.job && m.input !== 'endless') process.send({ output: 'patch' });`),
      2_000,
    );
    const endless = 'endless' as unknown as typeof files;
    const [late, after] = [jobs.test(endless), jobs.patch({ before: {}, after: {} })];
    const details = [{ message: 'the rules were not worked out within 2 s' }];
    await expect(late).rejects.toMatchObject({ code: 'busy', retryAfterMs: 2_000, details });
    expect(await after).toBe('patch');
    await expect(jobs.lint(endless)).rejects.toMatchObject({ code: 'rules_too_large', details });
  });

  it('limits the wait of a caller to the running job and one job of each other caller', async () => {
    const { jobs, files } = await someRuleJobs(
      aProgram(`if (m.job) process.send({ output: globalThis.n = (globalThis.n ?? 0) + 1 });`),
    );
    const lint = (asker: string) => jobs.lint(files, { asker });
    const asked = [lint('ann'), lint('ann'), lint('ann'), lint('bob'), lint('cem')];
    expect(await Promise.all(asked)).toEqual([1, 2, 5, 3, 4]);
  });

  it('refuses only the caller that has too many waiting jobs', async () => {
    const { jobs, files } = await someRuleJobs(aProgram(`if (m.job) process.send({ output: [] });`));
    const lint = (asker: string) => jobs.lint(files, { asker });
    const asked = Array.from({ length: MOST_WAITING + 1 }, () => lint('ann'));
    await expect(lint('ann')).rejects.toMatchObject({ code: 'busy' });
    expect(await Promise.all([...asked, lint('bob')])).toHaveLength(MOST_WAITING + 2);
  });

  it('tells its process that a job was cancelled, and continues with the next', async () => {
    const { jobs, files } = await someRuleJobs(
      aProgram(`if (m.abort) process.send({ failure: { message: 'given up' } });
        if (m.input === 'next') process.send({ output: process.pid });
        if (m.input === 'first') process.send({ output: process.pid });`),
    );
    const of = (word: string) => word as unknown as typeof files;
    const pid = await jobs.lint(of('first'));
    const left = new AbortController();
    const [linting, waiting] = [
      jobs.lint(files, { signal: left.signal }),
      jobs.lint(files, { signal: left.signal, asker: 'bob' }),
    ];
    left.abort(new Error('a newer one is wanted'));
    await expect(linting).rejects.toThrow('a newer one is wanted');
    await expect(waiting).rejects.toThrow('a newer one is wanted');
    await expect(jobs.lint(files, { signal: left.signal })).rejects.toThrow('a newer one is wanted');
    expect(await jobs.lint(of('next'))).toBe(pid);
  });

  it('ends a process that does not stop a cancelled job, so that others are served', async () => {
    const { jobs, files } = await someRuleJobs(
      aProgram(`if (m.input === 'next') process.send({ output: 'next' });`),
      20_000,
    );
    const left = new AbortController();
    const stuck = jobs.lint(files, { signal: left.signal });
    const next = jobs.lint('next' as unknown as typeof files, { asker: 'bob' });
    left.abort(new Error('left'));
    await expect(stuck).rejects.toThrow('left');
    expect(await next).toBe('next');
  });

  it('answers all waiting callers when it is closed', async () => {
    const { jobs, files } = await someRuleJobs(aProgram(''));
    const linting = [jobs.lint(files), jobs.lint(files)];
    const rejected = linting.map((one) =>
      expect(one).rejects.toThrow('the queue for the process that works on rules is closed'),
    );
    jobs.close();
    await Promise.all(rejected);
    await expect(jobs.lint(files)).rejects.toThrow('the queue for the process that works on rules is closed');
    await expect(jobs.shadow({ files, days: 1 })).rejects.toThrow(
      'the queue for the process that works on rules is closed',
    );
  });
});
