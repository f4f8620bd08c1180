import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** At the end of the service tells what node loaded of itself for it, and in MiB how far much garbage lets the young generation grow. */
const PROBE = `
  import { writeSync } from 'node:fs';
  import { getHeapSpaceStatistics } from 'node:v8';
  if (process.argv[2] === 'serve') process.on('exit', () => {
    const kept = [];
    for (let n = 0; n < 3e6; n += 1) kept[n % 100_000] = { n, more: [n] };
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
    writeSync(2, \`\\n\${JSON.stringify({ young, loaded: process.moduleLoadList })}\\n\`);
  });
`;

it('a start loads no HTTP client that nobody uses, and leaves a heap that requests have room in', async () => {
  const directory = temporaryDirectory();
  const probe = join(directory, 'probe.mjs');
  writeFileSync(probe, PROBE);
  const postern = spawnPostern({
    dataDir: join(directory, 'data'),
    env: { NODE_OPTIONS: `--import=${probe}`, POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' },
  });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  await postern.ready;
  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });
  const { young, loaded } = JSON.parse(/^\{"young.*\}$/m.exec(postern.stderr())?.[0] ?? 'null');
  expect(loaded).toContain('NativeModule http');
  expect(loaded).not.toContain('NativeModule internal/deps/undici/undici');
  expect(young).toBeGreaterThan(16);
});
