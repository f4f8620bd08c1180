import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMarkdown, textOf } from '../../dashboard/documents/markdown-tree.ts';
import { pathOf, readDocuments } from '../../dashboard/documents/read-documents.ts';
import { sectionsOf } from '../../dashboard/documents/search-index.ts';
import { anchorOf, type DocumentNode } from '../../dashboard/src/pages/docs/document.ts';
import { findSections } from '../../dashboard/src/pages/docs/find-sections.ts';
import { PAGES } from '../../dashboard/src/pages.ts';
import { CONDITIONS } from '../../src/attention/conditions.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const documents = readDocuments(packageRoot);
const anchors = new Map(
  documents.map(({ id, body }) => [
    pathOf(id),
    allOf(body).flatMap((node) => (node.kind === 'heading' ? node.id : [])),
  ]),
);
// The parts of the list of all that are drawn from it.
anchors.get('/docs')?.push('guides', 'package', 'decisions', 'providers');

type Part = Exclude<DocumentNode, string>;

function allOf(nodes: readonly DocumentNode[]): readonly Part[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    const inner =
      node.kind === 'table' ? [node.head, ...node.rows].flat(2) : 'children' in node ? node.children : [];
    return [node, ...allOf(inner)];
  });
}

/** Whether a page of the dashboard, and in it a part, is there. */
function isThere(href: string, from: string): boolean {
  const [path = '', part] = href.split('#');
  const page = path === '' ? from : path;
  if (part === undefined) return anchors.has(page) || PAGES.some((known) => known.path === page);
  return anchors.get(page)?.includes(part) ?? false;
}

describe('documents in the dashboard', () => {
  it('are all those of docs/, what each provider has to say, the README and the changes', () => {
    const files = globSync(['docs/**/*.md', 'providers/*/README.md', '*.md'], { cwd: packageRoot });
    const shown = documents.map(({ file }) => file);
    expect(shown.toSorted()).toEqual(files.filter((file) => file !== 'CONTRIBUTING.md').sort());
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  });

  it('name in the list of all each guide', () => {
    const linked = allOf(documents.find(({ id }) => id === 'index')?.body ?? []).flatMap((node) =>
      node.kind === 'link' ? node.href : [],
    );
    const guides = documents.filter(({ group, id }) => group === 'guides' && id !== 'index');
    expect(guides.map(({ id }) => pathOf(id)).filter((path) => !linked.includes(path))).toEqual([]);
  });

  it('lead to each other, to pages and to parts that are there, or to other sites', () => {
    const links = documents.flatMap(({ id, body }) =>
      allOf(body).flatMap((node) => (node.kind === 'link' ? { from: pathOf(id), href: node.href } : [])),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ from, href }) => !/^https?:\/\//.test(href) && !isThere(href, from))).toEqual([]);
  });

  it('are named by pages whose words they explain', () => {
    const named = globSync('dashboard/src/pages/**/*.tsx', { cwd: packageRoot }).flatMap((file) =>
      [...readFileSync(join(packageRoot, file), 'utf8').matchAll(/\bdocs="([^"]+)"/g)].map(([, to]) => to),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((to) => !isThere(`/docs/${to}`, '/docs'))).toEqual([]);
    const ofConditions = Object.values(CONDITIONS).map(({ page }) => page);
    expect(ofConditions.filter((page) => !isThere(page, '/docs'))).toEqual([]);
  });
});

describe('Markdown', () => {
  const treeOf = (markdown: string) => readMarkdown(markdown, (href) => ({ href, title: 'Rules' }));

  it('becomes text where it is HTML, so that none is ever run; comments are gone', () => {
    const nodes = treeOf('a <b onclick="x()">b</b>\n\n<script>alert(1)</script>\n\n<!-- not shown -->');
    expect(allOf(nodes).map(({ kind }) => kind)).toEqual(['paragraph']);
    expect(textOf(nodes)).toBe('a <b onclick="x()">b</b> <script>alert(1)</script>');
  });

  it('has the anchors that GitHub makes of its headings, each once', () => {
    const ids = allOf(treeOf('## `rules lint`, a look\n## Facts\n## Facts\n### A_b & [c](d.md)')).flatMap(
      (node) => (node.kind === 'heading' ? node.id : []),
    );
    expect(ids).toEqual(['rules-lint-a-look', 'facts', 'facts-1', 'a_b--c']);
  });

  it('names a document by its title where its words are the name of the file', () => {
    expect(textOf(treeOf('[rules.md](rules.md) and [how](rules.md)'))).toBe('Rules and how ');
  });

  it('keeps tables, numbered lists, blocks of code and what entities stand for', () => {
    const nodes = treeOf('| a |\n|---|\n| `x \\| y` &lt; |\n\n3. c\n\n```json request\n{}\n```');
    expect(nodes).toEqual([
      { kind: 'table', head: [['a']], rows: [[[{ kind: 'code', text: 'x | y' }, ' <']]] },
      { kind: 'list', start: 3, children: [{ kind: 'item', children: ['c'] }] },
      { kind: 'block', language: 'json', text: '{}' },
    ]);
  });
});

describe('looking through documents', () => {
  const sections = sectionsOf(documents);
  const first = (query: string) => findSections(query, sections)[0]?.href;

  it.each([
    ['how do I rotate a key', '/docs/api#keys'],
    ['restoring a backup', '/docs/operations#backup-and-restore'],
    ['what does the bell show?', '/docs/dashboard#attention'],
    ['behind a proxy', '/docs/operations#behind-a-proxy'],
    ['CATCH ALL', '/docs/operations#catch-all'],
  ])('“%s” leads to %s', (query, href) => {
    expect(first(query)).toBe(href);
  });

  it('finds nothing where most of the words are in no part, or none says anything', () => {
    expect(first('how do I')).toBeUndefined();
    expect(first('zzyzx quokka')).toBeUndefined();
    expect(first('')).toBeUndefined();
  });

  it('takes the beginning of a word that is still being typed', () => {
    expect(first('challeng')).toBeDefined();
  });
});

it('a part that an address names is found by its name, and none by one whose escapes are broken', () => {
  expect(['#a_b--c', '#caf%C3%A9', '#%E0%A4%A', '#100%', ''].map(anchorOf)).toEqual([
    'a_b--c',
    'café',
    '',
    '',
    '',
  ]);
});
