import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';

/** The packages with their versions from the lock file of the benchmarks, or else from Postern's own. */
export function versionsOf(names: readonly string[]): string {
  const locks = [join(root, 'bench'), root].map(
    (directory) => JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')).packages,
  );
  const versionOf = (name: string) =>
    locks.map((packages) => packages[`node_modules/${name}`]?.version).find(Boolean) ?? 'unknown';
  return names.map((name) => `${name} ${versionOf(name)}`).join(', ');
}
