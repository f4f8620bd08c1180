import * as read from 'virtual:documents';
import type { Document, DocumentEntry } from './document.ts';

/** In the order in which they are listed. */
export const ENTRIES: readonly DocumentEntry[] = read.ENTRIES;

const LOAD: Readonly<Record<string, () => Promise<{ readonly default: Document }>>> = read.LOAD;

/** A text by its id, null where there is none of that id; `index` is the list of all. */
export async function loadDocument(id: string): Promise<Document | null> {
  return (await LOAD[id]?.())?.default ?? null;
}
