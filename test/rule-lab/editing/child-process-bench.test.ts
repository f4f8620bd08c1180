import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/app/config/load-config.ts';
import { checkProviderOptions } from '../../../src/app/config/provider-options.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { MOST_WAITING } from '../../../src/rule-lab/editing/bench-lane.ts';
import { ChildProcessBench } from '../../../src/rule-lab/editing/child-process-bench.ts';
import { filesOf, readRuleSources } from '../../../src/rules/rule-files.ts';
import { discoverProviders } from '../../../src/signals/discover-providers.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { aProgram } from '../../support/a-program.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const BUILT = pathToFileURL(join(packageRoot, 'dist/src/rule-lab/editing/bench.process.js'));

async function aBench(program: URL, limitMs?: number) {
  const dataDir = temporaryDirectory();
  const loaded = await loadConfig({ dataDir, files: [], env: {}, cwd: packageRoot });
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  const providerOptions = checkProviderOptions(loaded, [...enabled, ...disabled]);
  const limit = limitMs === undefined ? {} : { limitMs };
  const bench = new ChildProcessBench({ config: loaded.config, providerOptions, program, ...limit });
  onTestFinished(() => bench.close());
  return { bench, config: loaded.config, files: filesOf(await readRuleSources(loaded.config.rules.dir)) };
}

describe('ChildProcessBench', () => {
  it('lints, tests and replays the shipped rules, side by side', async () => {
    const { bench, config, files } = await aBench(BUILT);
    const storage = await openSqliteStorage({ file: config.storage.url, durability: 'commit' });
    onTestFinished(() => storage.close());
    const [problems, tests, answer, shadow] = await Promise.all([
      bench.lint(files),
      bench.test(files),
      bench.replay({ base: files, candidate: files, days: 30, costRatio: 1 }),
      bench.shadow({ files, days: 30 }),
    ]);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(tests.passed).toBeGreaterThan(30);
    expect(answer).toMatchObject({ replay: { corpus: { checks: 0 }, rule_sets: { candidate: tests.hash } } });
    expect(shadow).toMatchObject({ ruleset: tests.hash, checks: 0 });
  });

  it('compares and merges there too', async () => {
    const { bench } = await aBench(BUILT);
    const [before, after] = [{ 'a.yaml': 'a\n' }, { 'a.yaml': 'b\n' }];
    const patch = expect.stringContaining('-a\n+b\n');
    expect(await bench.compare({ before, after })).toMatchObject({
      patch,
      changes: null,
      faulty: ['before', 'after'],
    });
    expect(await bench.patch({ before, after })).toEqual(patch);
    expect(await bench.merge({ base: before, mine: after, theirs: before })).toEqual({
      files: after,
      conflicts: [],
    });
  });

  it('reads and edits lists there too', async () => {
    const { bench } = await aBench(BUILT);
    const [file, text] = ['deny.yaml', '- { value: x.org, reason: r, owner: o }\n'];
    const entry = { value: 'x.org', reason: 'r', owner: 'o' };
    expect(await bench.readList({ file, text })).toEqual({ entries: [entry], faults: [] });
    expect(await bench.editList({ file, text, change: { kind: 'remove', value: 'x.org' } })).toEqual({
      text: '[]\n',
    });
    expect(await bench.editList({ file, text, change: { kind: 'add', entry } })).toEqual({
      refused: { at: 'entry/value', message: 'it stands in deny.yaml already: r' },
    });
  });

  it('says what kept it from answering', async () => {
    const { bench, files } = await aBench(BUILT);
    await expect(bench.replay({ base: files, candidate: files, days: 30, costRatio: 1 })).rejects.toThrow(
      'unable to open database file',
    );
  });

  it('refuses for a moment when its process falls, whose order it was, and begins anew with the next', async () => {
    const { bench, files } = await aBench(
      aProgram(`if (m.method) m.method === 'test' ? process.exit(3) : process.send({ answer: 'patch' });`),
    );
    for (let time = 0; time < 2; time += 1) {
      const [fell, after] = [bench.test(files), bench.patch({ before: {}, after: {} })];
      await expect(fell).rejects.toMatchObject({
        ...{ code: 'busy', retryAfterMs: 2_000 },
        details: [{ message: 'the process that works on rules ended with 3 before it answered' }],
      });
      expect(await after).toBe('patch');
    }
  });

  it('refuses for a moment what takes too long, and of lint for good; the next is answered', async () => {
    const { bench, files } = await aBench(
      aProgram(`if (m.method && m.order !== 'endless') process.send({ answer: 'patch' });`),
      2_000,
    );
    const endless = 'endless' as unknown as typeof files;
    const [late, after] = [bench.test(endless), bench.patch({ before: {}, after: {} })];
    const details = [{ message: 'the rules were not worked out within 2 s' }];
    await expect(late).rejects.toMatchObject({ code: 'busy', retryAfterMs: 2_000, details });
    expect(await after).toBe('patch');
    await expect(bench.lint(endless)).rejects.toMatchObject({ code: 'rules_too_large', details });
  });

  it('lets nobody wait for more than what is under way and one order of each of the others', async () => {
    const { bench, files } = await aBench(
      aProgram(`if (m.method) process.send({ answer: globalThis.n = (globalThis.n ?? 0) + 1 });`),
    );
    const lint = (asker: string) => bench.lint(files, { asker });
    const asked = [lint('ann'), lint('ann'), lint('ann'), lint('bob'), lint('cem')];
    expect(await Promise.all(asked)).toEqual([1, 2, 5, 3, 4]);
  });

  it('refuses for a moment who has too much waiting already, and nobody else', async () => {
    const { bench, files } = await aBench(aProgram(`if (m.method) process.send({ answer: [] });`));
    const lint = (asker: string) => bench.lint(files, { asker });
    const asked = Array.from({ length: MOST_WAITING + 1 }, () => lint('ann'));
    await expect(lint('ann')).rejects.toMatchObject({ code: 'busy' });
    expect(await Promise.all([...asked, lint('bob')])).toHaveLength(MOST_WAITING + 2);
  });

  it('tells its process when nobody waits any more, and goes on with the next', async () => {
    const { bench, files } = await aBench(
      aProgram(`if (m.giveUp) process.send({ failure: 'given up' });
        if (m.order === 'next') process.send({ answer: process.pid });
        if (m.order === 'first') process.send({ answer: process.pid });`),
    );
    const of = (word: string) => word as unknown as typeof files;
    const pid = await bench.lint(of('first'));
    const left = new AbortController();
    const [linting, waiting] = [
      bench.lint(files, { signal: left.signal }),
      bench.lint(files, { signal: left.signal, asker: 'bob' }),
    ];
    left.abort(new Error('a newer one is wanted'));
    await expect(linting).rejects.toThrow('a newer one is wanted');
    await expect(waiting).rejects.toThrow('a newer one is wanted');
    await expect(bench.lint(files, { signal: left.signal })).rejects.toThrow('a newer one is wanted');
    expect(await bench.lint(of('next'))).toBe(pid);
  });

  it('ends a process that does not give up, so that others are served', async () => {
    const { bench, files } = await aBench(
      aProgram(`if (m.order === 'next') process.send({ answer: 'next' });`),
      20_000,
    );
    const left = new AbortController();
    const stuck = bench.lint(files, { signal: left.signal });
    const next = bench.lint('next' as unknown as typeof files, { asker: 'bob' });
    left.abort(new Error('left'));
    await expect(stuck).rejects.toThrow('left');
    expect(await next).toBe('next');
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { bench, files } = await aBench(aProgram(''));
    const linting = [bench.lint(files), bench.lint(files)];
    const rejected = linting.map((one) => expect(one).rejects.toThrow('the bench for rules is closed'));
    bench.close();
    await Promise.all(rejected);
    await expect(bench.lint(files)).rejects.toThrow('the bench for rules is closed');
    await expect(bench.shadow({ files, days: 1 })).rejects.toThrow('the bench for rules is closed');
  });
});
