import type { DocumentNode, DocumentSection } from '../src/pages/docs/document.ts';
import { stemsOf } from '../src/pages/docs/stems.ts';
import { textOf } from './markdown-tree.ts';
import { pathOf, type ReadDocument } from './read-documents.ts';

/** Each part under a heading, and each document's beginning. */
export function sectionsOf(documents: readonly ReadDocument[]): readonly DocumentSection[] {
  return documents.flatMap(({ id, title, body }) => {
    const page = pathOf(id);
    const open: { level: number; title: string }[] = [];
    return partsOf(body).map(({ heading, nodes }) => {
      const words = [...stemsOf(textOf(nodes))].join(' ');
      if (heading === null) return { href: page, title, within: '', words };
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      const within = [title, ...open.map((above) => above.title)].join(' › ');
      const own = textOf(heading.children);
      open.push({ level: heading.level, title: own });
      return { href: `${page}#${heading.id}`, title: own, within, words };
    });
  });
}

type Heading = Extract<DocumentNode, { kind: 'heading' }>;

function partsOf(body: readonly DocumentNode[]) {
  const parts: { heading: Heading | null; nodes: DocumentNode[] }[] = [{ heading: null, nodes: [] }];
  for (const node of body) {
    if (typeof node === 'object' && node.kind === 'heading') parts.push({ heading: node, nodes: [] });
    else parts.at(-1)?.nodes.push(node);
  }
  return parts;
}
