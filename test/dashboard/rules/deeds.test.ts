import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/lib/paths.ts';

const pages = join(packageRoot, 'dashboard/src/pages/rules');

it('every error notice on the pages of rules names the failed action', () => {
  const unnamed: string[] = [];
  let notices = 0;
  for (const file of globSync('**/*.tsx', { cwd: pages })) {
    const text = readFileSync(join(pages, file), 'utf8');
    // Each notice, each query that is waited for, and forms that show the error of a change.
    const tags =
      /<ErrorNotice\b[^<]*?\/>|<Loaded\b[^<]*?>\n|<(?:DialogForm|FormDialog)\b[^<]*?\bchange=[^<]*?>\n/g;
    for (const [tag] of text.matchAll(tags)) {
      notices += 1;
      if (!tag.includes('deed=')) unnamed.push(`${file}: ${tag}`);
    }
  }
  expect(unnamed).toEqual([]);
  expect(notices).toBeGreaterThan(10);
});
