import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { checkProviderOptions } from '../../src/app/config/provider-options.ts';
import { faultsOf, startJudge } from '../../src/checks/rule-judge.ts';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const BUILT = pathToFileURL(join(packageRoot, 'dist/src/app/job.process.js'));
const NOW = Date.parse('2026-11-20T12:00:00Z');

async function aJudge(entry: URL, limitMs?: number) {
  const loaded = await loadConfig({ dataDir: '/nowhere', files: [], env: {}, cwd: packageRoot });
  const { enabled, disabled } = await discoverProviders(loaded.config.providers);
  const providerOptions = checkProviderOptions(loaded, [...enabled, ...disabled]);
  const limit = limitMs === undefined ? {} : { limitMs };
  const judge = startJudge({ config: loaded.config, providerOptions, entry, ...limit });
  onTestFinished(() => judge.close());
  return { judge, sources: await readRuleSources(join(packageRoot, 'rules')) };
}

function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(file, text);
  return pathToFileURL(file);
}

describe('startJudge', () => {
  it('judges the shipped rules, and then other rules with a test of an address, in the same process', async () => {
    const { judge, sources } = await aJudge(BUILT);
    const judgement = await judge.judge(sources, NOW);
    expect(faultsOf(judgement)).toEqual([]);
    expect(judgement.definitions?.tests.length).toBeGreaterThan(30);

    const files = { ...sources.files, 'tests/mine.yaml': TESTS, 'deny.yaml': '[{ value: 7 }]' };
    const bad = await judge.judge({ dir: 'rules', files }, NOW);
    expect(faultsOf(bad)).toContainEqual(expect.stringMatching(/^rules\/deny\.yaml:1:\d+ error /));
    const failing = await judge.judge({ dir: 'rules', files: { ...files, 'deny.yaml': '[]' } }, NOW);
    expect(faultsOf(failing)).toEqual([
      'rules/tests/mine.yaml:1:3 test "a" failed: action expected BLOCK, was ALLOW',
    ]);
  });

  it('reports that it cannot judge when its process crashes, and starts a new one for the next rules', async () => {
    const { judge, sources } = await aJudge(
      aProgram(`process.on('message', (m) => 'job' in m && process.exit(3));`),
    );
    for (let time = 0; time < 2; time++) {
      await expect(judge.judge(sources, NOW)).rejects.toThrow('ended with 3 before it answered');
    }
  });

  it('reports a timeout, and ends the process', async () => {
    const { judge, sources } = await aJudge(aProgram(`process.on('message', () => undefined);`), 50);
    await expect(judge.judge(sources, NOW)).rejects.toThrow('the rules were not judged within 0.05 s');
  });

  it('reports why its process could not judge', async () => {
    const { judge, sources } = await aJudge(
      aProgram(
        `process.on('message', (m) => 'job' in m && process.send({ failure: { message: 'no providers' } }));`,
      ),
    );
    await expect(judge.judge(sources, NOW)).rejects.toThrow('no providers');
  });

  it('answers two concurrent callers, each for their own rules', async () => {
    const { judge, sources } = await aJudge(
      aProgram(
        `process.on('message', (m) => 'job' in m && setTimeout(() => process.send({ output: m.input.now }), 20));`,
      ),
    );
    expect(await Promise.all([judge.judge(sources, 1), judge.judge(sources, 2)])).toEqual([1, 2]);
  });

  it('answers all pending calls when it is closed', async () => {
    const { judge, sources } = await aJudge(aProgram(`process.on('message', () => undefined);`));
    const [judging, waiting] = [judge.judge(sources, NOW), judge.judge(sources, NOW)];
    const waited = expect(waiting).rejects.toThrow('the judge of rules is closed');
    await new Promise(setImmediate);
    judge.close();
    await expect(judging).rejects.toThrow('ended with SIGKILL before it answered');
    await waited;
    await expect(judge.judge(sources, NOW)).rejects.toThrow('the judge of rules is closed');
  });
});

const TESTS = '- { name: a, email: jane@example.com, expect: { action: BLOCK } }\n';
