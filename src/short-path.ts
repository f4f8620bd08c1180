import { isAbsolute, relative } from 'node:path';

/** Relative where it lies below the working directory, so that a terminal can open it. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
