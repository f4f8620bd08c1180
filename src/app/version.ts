import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../lib/paths.ts';

/** The version of package.json. */
export function readVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return manifest.version;
}
