import { extname } from 'node:path';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

/** By the end of the file's name; undefined when that tells nothing. */
export function formatOf(file: string | undefined): Format | undefined {
  return file === undefined ? undefined : EXTENSIONS[extname(file).toLowerCase()];
}

/** What the name of a CSV file says about what stands between its cells; undefined when that tells nothing. */
export function delimiterOf(file: string | undefined): string | undefined {
  return file !== undefined && extname(file).toLowerCase() === '.tsv' ? '\t' : undefined;
}
