import { marked, type Token, type Tokens } from 'marked';
import type { DocumentNode } from '../src/pages/docs/document.ts';

/** Where a link leads in the dashboard (`title` replaces link words that are a file name); `path` for a file that it does not show. */
export type FollowLink = (
  href: string,
) => { readonly href: string; readonly title?: string } | { readonly path: string };

/** Parses GitHub's Markdown into a tree. Raw HTML becomes plain text; comments are left out. */
export function readMarkdown(markdown: string, follow: FollowLink): readonly DocumentNode[] {
  const anchors = new Map<string, number>();
  const idOf = (heading: string) => {
    const anchor = anchorOf(heading);
    const before = anchors.get(anchor) ?? 0;
    anchors.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
  return new TreeReader(follow, idOf).nodesOf(marked.lexer(markdown));
}

/** As GitHub makes it of a heading's words. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

const FILE_NAME = /^[\w/.-]+\.(md|json)$/;

class TreeReader {
  readonly #follow: FollowLink;
  readonly #idOf: (heading: string) => string;

  constructor(follow: FollowLink, idOf: (heading: string) => string) {
    this.#follow = follow;
    this.#idOf = idOf;
  }

  nodesOf(tokens: readonly Token[] = []): readonly DocumentNode[] {
    return tokens.flatMap((token) => this.#nodeOf(token) ?? []);
  }

  #nodeOf(token: Token): DocumentNode | readonly DocumentNode[] | null {
    switch (token.type) {
      case 'heading': {
        const children = this.nodesOf(token.tokens);
        return { kind: 'heading', level: token.depth, id: this.#idOf(textOf(children)), children };
      }
      case 'paragraph':
        return { kind: 'paragraph', children: this.nodesOf(token.tokens) };
      case 'text':
        // In a list without blank lines a text token holds the inline tokens that a paragraph would hold.
        return token.tokens ? this.nodesOf(token.tokens) : plain(token.text);
      case 'escape':
        return plain(token.text);
      case 'strong':
        return { kind: 'strong', children: this.nodesOf(token.tokens) };
      case 'em':
        return { kind: 'emphasis', children: this.nodesOf(token.tokens) };
      case 'codespan':
        return { kind: 'code', text: token.text };
      case 'code':
        return { kind: 'block', language: token.lang?.split(' ')[0] ?? '', text: token.text };
      case 'list':
        return this.#listOf(token as Tokens.List);
      case 'link':
        return this.#linkOf(token as Tokens.Link);
      case 'image':
        return { kind: 'emphasis', children: [token.text] };
      case 'table':
        return this.#tableOf(token as Tokens.Table);
      case 'blockquote':
        return { kind: 'quote', children: this.nodesOf(token.tokens) };
      case 'hr':
        return { kind: 'line' };
      case 'html':
        return token.raw.startsWith('<!--') ? null : token.raw;
      case 'br':
        return ' ';
      case 'space':
      case 'def':
        return null;
      default:
        throw new Error(`No way is known to show this Markdown (${token.type}): ${token.raw}`);
    }
  }

  #listOf({ ordered, start, items }: Tokens.List): DocumentNode {
    return {
      kind: 'list',
      start: ordered ? Number(start) : null,
      children: items.map(({ tokens }) => ({ kind: 'item', children: this.nodesOf(tokens) })),
    };
  }

  #linkOf({ href, tokens }: Tokens.Link): DocumentNode {
    const children = this.nodesOf(tokens);
    const target = this.#follow(href);
    if ('path' in target) return { kind: 'file', path: target.path, children };
    const words = FILE_NAME.test(textOf(children)) && target.title ? [target.title] : children;
    return { kind: 'link', href: target.href, children: words };
  }

  #tableOf({ header, rows }: Tokens.Table): DocumentNode {
    const cellsOf = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => this.nodesOf(tokens));
    return { kind: 'table', head: cellsOf(header), rows: rows.map(cellsOf) };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u{a0}' };

/** Joins source lines with blanks, and decodes the entities of `ENTITIES`; other entities stay. */
function plain(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** The plain text of some nodes. */
export function textOf(nodes: readonly DocumentNode[]): string {
  return nodes.map(textOfNode).join('');
}

function textOfNode(node: DocumentNode): string {
  if (typeof node === 'string') return node;
  if ('text' in node) return node.text;
  if (node.kind === 'table') return [node.head, ...node.rows].flat().map(textOf).join(' ');
  if (node.kind === 'line') return '';
  const words = textOf(node.children);
  return node.kind === 'paragraph' || node.kind === 'item' ? `${words} ` : words;
}
