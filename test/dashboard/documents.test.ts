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
// The parts from which the list of all documents is drawn.
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

/** Whether the dashboard has a page and, if given, this part of it. */
function isThere(href: string, from: string): boolean {
  const [path = '', part] = href.split('#');
  const page = path === '' ? from : path;
  if (part === undefined) return anchors.has(page) || PAGES.some((known) => known.path === page);
  return anchors.get(page)?.includes(part) ?? false;
}

describe('the documents in the dashboard', () => {
  it('are all those of docs/, the README of each provider, the README and the changelog', () => {
    const files = globSync(['docs/**/*.md', 'providers/*/README.md', '*.md'], { cwd: packageRoot });
    const shown = documents.map(({ file }) => file);
    expect(shown.toSorted()).toEqual(files.filter((file) => file !== 'CONTRIBUTING.md').sort());
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  });

  it('are all named in the list of documents', () => {
    const linked = allOf(documents.find(({ id }) => id === 'index')?.body ?? []).flatMap((node) =>
      node.kind === 'link' ? node.href : [],
    );
    const guides = documents.filter(({ group, id }) => group === 'guides' && id !== 'index');
    expect(guides.map(({ id }) => pathOf(id)).filter((path) => !linked.includes(path))).toEqual([]);
  });

  it('link to each other, to existing pages and parts, or to other sites', () => {
    const links = documents.flatMap(({ id, body }) =>
      allOf(body).flatMap((node) => (node.kind === 'link' ? { from: pathOf(id), href: node.href } : [])),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ from, href }) => !/^https?:\/\//.test(href) && !isThere(href, from))).toEqual([]);
  });

  it('are linked from the pages whose terms they explain', () => {
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

  it('becomes text where it is HTML, so that no HTML is interpreted; comments are removed', () => {
    const nodes = treeOf('a <b onclick="x()">b</b>\n\n<script>alert(1)</script>\n\n<!-- not shown -->');
    expect(allOf(nodes).map(({ kind }) => kind)).toEqual(['paragraph']);
    expect(textOf(nodes)).toBe('a <b onclick="x()">b</b> <script>alert(1)</script>');
  });

  it('has the anchors that GitHub gives its headings, each once', () => {
    const ids = allOf(treeOf('## `rules lint`, a look\n## Facts\n## Facts\n### A_b & [c](d.md)')).flatMap(
      (node) => (node.kind === 'heading' ? node.id : []),
    );
    expect(ids).toEqual(['rules-lint-a-look', 'facts', 'facts-1', 'a_b--c']);
  });

  it('names a document by its title where the link text is the name of the file', () => {
    expect(textOf(treeOf('[rules.md](rules.md) and [how](rules.md)'))).toBe('Rules and how ');
  });

  it('keeps tables, numbered lists, code blocks and the characters that entities stand for', () => {
    const nodes = treeOf('| a |\n|---|\n| `x \\| y` &lt; |\n\n3. c\n\n```json request\n{}\n```');
    expect(nodes).toEqual([
      { kind: 'table', head: [['a']], rows: [[[{ kind: 'code', text: 'x | y' }, ' <']]] },
      { kind: 'list', start: 3, children: [{ kind: 'item', children: ['c'] }] },
      { kind: 'block', language: 'json', text: '{}' },
    ]);
  });
});

describe('the search in documents', () => {
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

  it('finds nothing where most of the words are in no part, or all are stop words', () => {
    expect(first('how do I')).toBeUndefined();
    expect(first('zzyzx quokka')).toBeUndefined();
    expect(first('')).toBeUndefined();
  });

  it('matches the beginning of the word that is being typed', () => {
    expect(first('challeng')).toBeDefined();
  });
});

it('the part that an address names is found by its anchor; a broken escape finds none', () => {
  expect(['#a_b--c', '#caf%C3%A9', '#%E0%A4%A', '#100%', ''].map(anchorOf)).toEqual([
    'a_b--c',
    'café',
    '',
    '',
    '',
  ]);
});
