import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/paths.ts';

/** The folder that `npm run bench:quality` reads. */
export const MEASURING_DATA = process.env.POSTERN_MEASURING_DATA ?? join(packageRoot, '..', 'shared', 'data');

/** Labelled data, not part of Postern, for optional tests: `it.skipIf(!hasMeasuringData)`. */
export const hasMeasuringData = existsSync(MEASURING_DATA);

/** The rows of a tab-separated file, without lines that start with `#`. */
export function measuringRows(file: string): readonly (readonly string[])[] {
  return readFileSync(join(MEASURING_DATA, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
