import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('.', import.meta.url));

/** The peers are no dependencies of Postern: they are installed here, the first time and when the list has changed. */
export function installPeers(): void {
  if (arePeersInstalled()) return;
  console.error('Installing what Postern is compared with …');
  const { status } = spawnSync('npm', ['ci'], {
    cwd: directory,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed in bench/');
}

/** Each in the version that is asked for. */
export function arePeersInstalled(): boolean {
  const { dependencies } = manifest('package.json');
  return Object.entries(dependencies ?? {}).every(
    ([name, version]) => manifest(join('node_modules', name, 'package.json')).version === version,
  );
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Empty where there is none. */
function manifest(path: string): Manifest {
  const file = join(directory, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
