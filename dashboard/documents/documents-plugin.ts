import { join } from 'node:path';
import type { Plugin } from 'vite';
import { type ReadDocument, readDocuments } from './read-documents.ts';
import { sectionsOf } from './search-index.ts';

const LIST = 'virtual:documents';
const SEARCH = `${LIST}/search`;
const TEXT = `${LIST}/text/`;
/** Rollup's prefix for the ids of virtual modules: other plugins leave such ids alone. */
const OWN = '\0';

/**
 * Reads the package's documents into modules: the list of all, one for each text, and one with the search index. The browser thus
 * loads no Markdown parser, and each text only when it is opened.
 */
export function documents(here: string): Plugin {
  const root = join(here, '..');
  let read: readonly ReadDocument[] = [];
  return {
    name: 'postern:documents',
    buildStart() {
      read = readDocuments(root);
    },
    resolveId: {
      filter: { id: /^virtual:documents/ },
      handler: (id) => OWN + id,
    },
    load: {
      filter: { id: /^\0virtual:documents/ },
      handler: (id) => sourceOf(id.slice(OWN.length), read),
    },
  };
}

function sourceOf(name: string, read: readonly ReadDocument[]): string {
  if (name === SEARCH) return `export const SECTIONS = ${JSON.stringify(sectionsOf(read))};`;
  if (name === LIST) {
    const entries = read.map(({ id, group, title }) => ({ id, group, title }));
    const loads = read.map(({ id }) => `${JSON.stringify(id)}: () => import('${TEXT}${id}')`);
    return `export const ENTRIES = ${JSON.stringify(entries)};\nexport const LOAD = {${loads.join(',\n')}};`;
  }
  const found = read.find(({ id }) => `${TEXT}${id}` === name);
  if (found === undefined) throw new Error(`${name}: there is no such document`);
  const { title, file, body } = found;
  return `export default ${JSON.stringify({ title, file, body })};`;
}
