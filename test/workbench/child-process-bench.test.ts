import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { checkProviderOptions } from '../../src/config/provider-options.ts';
import { packageRoot } from '../../src/package-root.ts';
import { filesOf } from '../../src/rules/rule-files.ts';
import { readRuleSources } from '../../src/rules/rule-sources.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { ChildProcessBench } from '../../src/workbench/child-process-bench.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const BUILT = pathToFileURL(join(packageRoot, 'dist/src/workbench/bench.process.js'));

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

/** Answers a message `m` of a question by this text. */
function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
     process.on('message', (m) => { ${text} });
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(file);
}

describe('ChildProcessBench', () => {
  it('lints, tests and replays the shipped rules in one process, side by side', async () => {
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

  it('says what kept it from answering', async () => {
    const { bench, files } = await aBench(BUILT);
    await expect(bench.replay({ base: files, candidate: files, days: 30, costRatio: 1 })).rejects.toThrow(
      'unable to open database file',
    );
  });

  it('says so when its process falls, to all who wait, and begins anew', async () => {
    const { bench, files } = await aBench(aProgram(`if (m.method === 'test') process.exit(3);`));
    for (let time = 0; time < 2; time += 1) {
      const asked = [bench.lint(files), bench.test(files)];
      for (const one of asked) await expect(one).rejects.toThrow('ended with 3 before it answered');
    }
  });

  it('says so when it takes too long, and ends what does', async () => {
    const { bench, files } = await aBench(aProgram(''), 50);
    await expect(bench.lint(files)).rejects.toThrow('the rules were not worked out within 0.05 s');
  });

  it('tells its process when nobody waits any more, and goes on with the others', async () => {
    const marks = join(temporaryDirectory(), 'given-up');
    const { bench, files } = await aBench(
      aProgram(`if (m.method === 'lint') process.send({ id: m.id, answer: [] });
        if (m.giveUp) writeFileSync(${JSON.stringify(marks)}, String(m.giveUp));`),
    );
    const controller = new AbortController();
    const replaying = bench.replay(
      { base: files, candidate: files, days: 30, costRatio: 1 },
      controller.signal,
    );
    controller.abort(new Error('a newer one is wanted'));
    await expect(replaying).rejects.toThrow('a newer one is wanted');
    // Messages arrive in their order: what is answered after has been told before.
    expect(await bench.lint(files)).toEqual([]);
    expect(existsSync(marks)).toBe(true);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const { bench, files } = await aBench(aProgram(''));
    const linting = bench.lint(files);
    bench.close();
    await expect(linting).rejects.toThrow('was ended before it answered');
    await expect(bench.lint(files)).rejects.toThrow('the bench for rules is closed');
  });
});
