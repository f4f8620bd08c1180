import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** At the end makes garbage that lives for a while, for which V8 has the young generation grow; prints its size. */
const PROBE = `
  import { writeSync } from 'node:fs';
  import { getHeapSpaceStatistics } from 'node:v8';
  process.on('exit', () => {
    const kept = [];
    for (let n = 0; n < 3e6; n += 1) kept[n % 400_000] = { n, more: [n] };
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    writeSync(2, \`young \${young.space_size}\`);
  });
`;

it('bounds the young generation of its heap, which V8 lets grow to 128 MB', () => {
  const directory = temporaryDirectory();
  const probe = join(directory, 'probe.mjs');
  const nothing = join(directory, 'nothing.mjs');
  writeFileSync(probe, PROBE);
  writeFileSync(nothing, '');
  const youngMb = (...script: string[]) => {
    const { stderr } = spawnSync(process.execPath, ['--import', probe, ...script], { encoding: 'utf8' });
    return Number(/^young (\d+)$/m.exec(stderr)?.[1]) / 2 ** 20;
  };
  // What the same garbage does to a process that sets no bound: without it the test would prove nothing.
  expect(youngMb(nothing)).toBeGreaterThan(30);
  expect(youngMb(join(packageRoot, 'bin/postern.js'), '--version')).toBe(16);
});
