import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory, and those above it that are missing, for the owner alone. One by one: node's own
 * `recursive` turns for ever where a file system refuses new names with ENOENT, as /proc does (24.21).
 */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = [];
  for (let directory = path; !existsSync(directory); directory = dirname(directory)) missing.push(directory);
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      // Another process that starts at the same time was first.
      if (!existsSync(directory)) throw error;
    }
  }
}
