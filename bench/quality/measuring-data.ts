import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../support/paths.ts';

/** Default folder of the labelled rows, beside the checkout; `--data` and the variable override it. */
const BESIDE = join(root, '..', 'shared', 'data');

/** The labelled rows, which are not part of Postern. */
export class MeasuringData {
  readonly folder: string;

  constructor(folder: string = process.env.POSTERN_MEASURING_DATA ?? BESIDE) {
    this.folder = resolve(folder);
  }

  missing(files: readonly string[]): readonly string[] {
    return [...new Set(files)].filter((file) => !existsSync(join(this.folder, file))).sort();
  }

  /** The rows of a text file without its headers, cut at tabs. */
  rows(file: string): readonly (readonly string[])[] {
    return this.#read(file)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('\t'));
  }

  /** The first column, each value once. */
  column(file: string): readonly string[] {
    return [...new Set(this.rows(file).map(([first = '']) => first))];
  }

  /** The rows of a JSON file; their shape is what docs/quality.md says. */
  json<Row>(file: string): readonly Row[] {
    return JSON.parse(this.#read(file)) as readonly Row[];
  }

  #read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}
