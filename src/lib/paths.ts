import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, isAbsolute, join, relative } from 'node:path';

/** Relative where it lies below the working directory, so that a terminal can open it. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** The folder of package.json. `tables/`, `rules/` and `config/` are found from there, whether this runs from `src/` or `dist/src/`. */
export const packageRoot: string = dirname(findPackageJSON(import.meta.url) ?? '');

/**
 * The URL of module `name` beside the module at `url`, with the same extension; for a worker or a process. Tests run TypeScript, a
 * build runs the output of tsc, which does not rewrite extensions in URLs. Erasable TypeScript.
 */
export function moduleBeside(name: string, url: string): URL {
  return new URL(`${name}${extname(new URL(url).pathname)}`, url);
}

export function readVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return manifest.version;
}
