import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the checkout. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** A new directory beside the benchmarks, on the checkout's own disk: a `/tmp` in memory would make fsync free. */
export function workDirectory(name: string): string {
  const parent = join(root, 'bench/data');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}
