/** A document as the build has read it: what is shown is made of these parts alone, so that nothing in a text becomes markup. */
export interface Document {
  readonly title: string;
  /** Its file, from the root of the package: `docs/rules.md`. */
  readonly file: string;
  readonly body: readonly DocumentNode[];
}

type Nodes = readonly DocumentNode[];

export type DocumentNode =
  | string
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly children: Nodes }
  | { readonly kind: 'paragraph' | 'item' | 'quote' | 'strong' | 'emphasis'; readonly children: Nodes }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'block'; readonly language: string; readonly text: string }
  /** Numbered from `start`, or with marks where that is null. */
  | { readonly kind: 'list'; readonly start: number | null; readonly children: Nodes }
  /** `#part`, `/docs/rules#part`, or another site. */
  | { readonly kind: 'link'; readonly href: string; readonly children: Nodes }
  /** A link to a file that the dashboard does not show. */
  | { readonly kind: 'file'; readonly path: string; readonly children: Nodes }
  | { readonly kind: 'table'; readonly head: readonly Nodes[]; readonly rows: readonly (readonly Nodes[])[] }
  | { readonly kind: 'line' };

/** The groups of the list of all documents. */
export type DocumentGroup = 'guides' | 'package' | 'decisions' | 'providers';

export interface DocumentEntry {
  /** In the address after `/docs/`: `rules`, `decisions/0026-what-promotion-takes`. */
  readonly id: string;
  readonly group: DocumentGroup;
  readonly title: string;
}

/** A part under a heading, as the command palette finds it. */
export interface DocumentSection {
  readonly href: string;
  readonly title: string;
  /** The document's title, and the headings above. */
  readonly within: string;
  /** The stems of all words of its text, once each, with blanks between. */
  readonly words: string;
}

/** The part of a document that an address names, by its hash; none where an escape in it is broken. */
export function anchorOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
