import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('.', import.meta.url));

/** Installs the packages for comparison, which Postern itself does not depend on, at first and after each change of the list. */
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

/** Whether each peer is installed in the version of package.json. */
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

/** Empty where there is no such file. */
function manifest(path: string): Manifest {
  const file = join(directory, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
