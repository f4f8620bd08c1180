import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.ts';

const PAGE = join(root, 'docs/benchmarks.md');
const [BEGIN, END] = ['<!-- results: written by npm run bench -->', '<!-- end of results -->'];

/** Puts the results of a whole run where the last ones stood. */
export function writeResults(markdown: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has lost the marks between which the results stand`);
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${markdown}\n\n${page.slice(to)}`);
}
