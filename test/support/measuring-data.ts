import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Labelled data that may lie beside the checkout, for optional tests: `it.skipIf(!hasMeasuringData)`. */
export const hasMeasuringData = existsSync(FOLDER);

/** The rows of a tab-separated file, without its headers. */
export function measuringRows(file: string): readonly (readonly string[])[] {
  return readFileSync(`${FOLDER}${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
