// `npm run bench`: measures everything and writes docs/benchmarks.md.
// `npm run bench -- pipeline decision`: measures these, prints them, and writes nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('.', import.meta.url));

/** The peers are no dependencies of Postern: they are installed here, the first time. */
function installPeers(): void {
  if (existsSync(join(directory, 'node_modules'))) return;
  console.error('Installing what Postern is compared with …');
  const { status } = spawnSync('npm', ['ci'], {
    cwd: directory,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed in bench/');
}

installPeers();
const { benchmark } = await import('./benchmark.ts');
try {
  await benchmark(process.argv.slice(2));
} finally {
  rmSync(join(directory, 'data'), { recursive: true, force: true });
}
// Some peers keep threads of their own.
process.exit();
