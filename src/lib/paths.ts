import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, isAbsolute, join, relative } from 'node:path';

/** Relative where it lies below the working directory, so that a terminal can open it. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** Where package.json is: `tables/`, `rules/` and `config/` are found from there, whether this runs from `src/` or from `dist/src/`. */
export const packageRoot: string = dirname(findPackageJSON(import.meta.url) ?? '');

/**
 * The module beside the one at `url`, by its name without an extension; for a worker or a process. Tests run TypeScript, a build
 * what tsc made of it, and tsc rewrites no extension within a URL. Erasable TypeScript.
 */
export function moduleBeside(name: string, url: string): URL {
  return new URL(`${name}${extname(new URL(url).pathname)}`, url);
}

/** The version of package.json. */
export function readVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return manifest.version;
}
