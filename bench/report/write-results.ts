import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';

const END = '<!-- end of results -->';

/** Replaces the last results of `command` on `page`, a path from the root. Throws where the page lacks the marks. */
export function writeResults(page: string, command: string, markdown: string): void {
  const file = join(root, page);
  const begin = `<!-- results: written by ${command} -->`;
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has lost the marks between which the results stand`);
  writeFileSync(file, `${text.slice(0, from)}${begin}\n\n${markdown}\n\n${text.slice(to)}`);
}
