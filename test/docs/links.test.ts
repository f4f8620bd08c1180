import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { anchorsOf, proseOf, readPage } from './markdown.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'rules/*.md', 'providers/*/README.md'], {
  cwd: packageRoot,
}).sort();

describe.each(pages)('%s', (page) => {
  const targets = [...proseOf(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));

  it('links only to files and parts that exist', () => {
    const broken = targets.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : relative(packageRoot, join(packageRoot, dirname(page), path));
      if (!existsSync(join(packageRoot, file))) return true;
      return anchor !== undefined && !anchorsOf(readPage(file)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

it('docs/README.md names every page of its folder', () => {
  const index = readPage('docs/README.md');
  const missing = globSync('docs/*.md', { cwd: packageRoot })
    .map((page) => page.slice('docs/'.length))
    .filter((page) => page !== 'README.md' && !index.includes(`](${page})`));
  expect(missing).toEqual([]);
});
