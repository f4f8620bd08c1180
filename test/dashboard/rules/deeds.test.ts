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
    // Each tag up to its end, and forms that show an error.
    for (const [tag] of text.matchAll(/<ErrorNotice\b[^<]*?\/>|<DialogForm\b[^<]*?\berror=[^<]*?>\n/g)) {
      notices += 1;
      if (!tag.includes('deed=')) unnamed.push(`${file}: ${tag}`);
    }
  }
  expect(unnamed).toEqual([]);
  expect(notices).toBeGreaterThan(10);
});
