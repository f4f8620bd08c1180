import { extname } from 'node:path';

/**
 * The module beside the one at `url`, by its name without an extension; for a worker or a process. Tests run TypeScript, a build
 * what tsc made of it, and tsc rewrites no extension within a URL. Erasable TypeScript.
 */
export function moduleBeside(name: string, url: string): URL {
  return new URL(`${name}${extname(new URL(url).pathname)}`, url);
}
