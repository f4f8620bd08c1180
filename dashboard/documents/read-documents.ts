import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import type { Document, DocumentEntry, DocumentGroup } from '../src/pages/docs/document.ts';
import { readMarkdown, textOf } from './markdown-tree.ts';

/** Pages that are no Markdown, by the file that they show. */
const OTHER_PAGES: Readonly<Record<string, Target>> = {
  'docs/openapi.json': { href: '/docs/openapi', title: 'API reference' },
  'docs/dashboard-openapi.json': { href: '/docs/dashboard-openapi', title: 'API reference of the dashboard' },
  'docs/decisions': { href: '/docs#decisions', title: 'Decisions' },
  providers: { href: '/docs#providers', title: 'Providers' },
};

interface Target {
  readonly href: string;
  readonly title: string;
}

/** The files whose text the dashboard shows, all of which the package holds. */
const SHOWN: Readonly<Record<DocumentGroup, readonly string[]>> = {
  guides: ['docs/*.md'],
  package: ['README.md', 'CHANGELOG.md'],
  decisions: ['docs/decisions/*.md'],
  providers: ['providers/*/README.md'],
};

const INDEX = 'index';

export interface ReadDocument extends DocumentEntry, Document {}

/** Every document of a package, by group, then by id; the list of all is `index`. */
export function readDocuments(root: string): readonly ReadDocument[] {
  const files = Object.entries(SHOWN).flatMap(([group, patterns]) =>
    globSync([...patterns], { cwd: root })
      .sort()
      .map((file) => ({
        ...{ file, group: group as DocumentGroup, id: idOf(file) },
        text: readFileSync(join(root, file), 'utf8'),
      })),
  );
  const targets = new Map<string, Target>(Object.entries(OTHER_PAGES));
  for (const { file, id, text } of files) targets.set(file, { href: pathOf(id), title: titleOf(file, text) });
  return files.map(({ file, group, id, text }) => {
    const [heading, ...body] = readMarkdown(text, (href) => follow(href, file, targets));
    const title = typeof heading === 'object' && 'children' in heading ? textOf(heading.children) : '';
    return { id, group, file, title, body };
  });
}

/** Where the dashboard shows a document. */
export const pathOf = (id: string) => (id === INDEX ? '/docs' : `/docs/${id}`);

/** `docs/rules.md` is `rules`, `docs/decisions/0001-x.md` `decisions/0001-x`, `providers/mx/README.md` `providers/mx`, `README.md` `readme`. */
function idOf(file: string): string {
  if (file === 'docs/README.md') return INDEX;
  return file
    .replace(/^docs\//, '')
    .replace(/(.)\/README\.md$/, '$1')
    .replace(/\.md$/, '')
    .toLowerCase();
}

/** The heading in the first line, with its markup. Throws where the first line is no heading. */
function titleOf(file: string, text: string): string {
  const title = /^# (.+)\n/.exec(text)?.[1];
  if (title === undefined) throw new Error(`${file} does not begin with its title: "# …"`);
  return title;
}

function follow(href: string, file: string, targets: ReadonlyMap<string, Target>) {
  if (/^(https?:|#)/.test(href)) return { href };
  const [path = '', part] = href.split('#');
  const found = normalize(join(dirname(file), path)).replace(/\/$/, '');
  const target = targets.get(found);
  if (target === undefined) return { path: found };
  return part === undefined ? target : { ...target, href: `${target.href}#${part}` };
}
