import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** At the end makes garbage that lives for a while, as kept answers do; prints how far the generations grew, in MiB. */
const PROBE = `
  import { writeSync } from 'node:fs';
  import { getHeapSpaceStatistics } from 'node:v8';
  const sizeOf = (name) => getHeapSpaceStatistics().find(({ space_name }) => space_name === name).space_size / 2 ** 20;
  process.on('exit', () => {
    const kept = [];
    let old = 0;
    for (let n = 0; n < 12e6; n += 1) {
      kept[n % 400_000] = { n, more: [n] };
      if (n % 50_000 === 0) old = Math.max(old, sizeOf('old_space'));
    }
    writeSync(2, \`\\n\${JSON.stringify({ young: sizeOf('new_space'), old })}\\n\`);
  });
`;

it('keeps the heap of the process near what is alive in it', () => {
  const directory = temporaryDirectory();
  const probe = join(directory, 'probe.mjs');
  const nothing = join(directory, 'nothing.mjs');
  writeFileSync(probe, PROBE);
  writeFileSync(nothing, '');
  const grown = (...script: string[]) => {
    const { stderr } = spawnSync(process.execPath, ['--import', probe, ...script], { encoding: 'utf8' });
    return JSON.parse(/^\{.*\}$/m.exec(stderr)?.[0] ?? 'null');
  };
  // What the same garbage does to a process that sets no bound: without it the test would prove nothing.
  const { young, old } = grown(nothing);
  expect(young).toBeGreaterThan(30);
  const bounded = grown(join(packageRoot, 'bin/postern.js'), '--version');
  expect(bounded.young).toBeLessThan(16);
  expect(bounded.old).toBeLessThan(old * 0.75);
});
