import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/paths.ts';

/** A page of the documentation, by its path from the root. */
export function readPage(page: string): string {
  return readFileSync(join(packageRoot, page), 'utf8');
}

export interface Fence {
  /** What stands after the opening backticks: `json request`. */
  readonly info: string;
  readonly text: string;
}

/** Every fenced block, in order. */
export function fencesOf(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({
    info,
    text,
  }));
}

/** The blocks that have the name of a file above them, by that name, in order. */
export function filesIn(markdown: string): ReadonlyMap<string, string> {
  const blocks = [...markdown.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)];
  return new Map(blocks.map(([, name = '', code = '']) => [name, code]));
}

/** Everything but the fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '');
}

/** The cells of the table whose head is these columns. Throws when the page has none. */
export function tableOf(markdown: string, ...columns: readonly string[]): readonly (readonly string[])[] {
  const head = `| ${columns.join(' | ')} |`;
  const lines = proseOf(markdown).split('\n');
  const start = lines.indexOf(head);
  if (start === -1) throw new Error(`there is no table ${head}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return (end === -1 ? rows : rows.slice(0, end)).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What stands between backticks in a text. */
export function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): readonly string[] {
  return [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
