import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';

/** A key of a mapping, or a place in a list. */
export type PathStep = string | number;

/** Where a cursor stands in a rule file, as far as its schema is concerned. */
export interface Cursor {
  /** From the top of the file to the mapping, list or value that the cursor is in. */
  readonly path: readonly PathStep[];
  /** Whether a key of the mapping at `path` is being written, or the value there. */
  readonly at: 'key' | 'value';
  /** The whole file as far as it can be read, with null in place of the word that is being written. */
  readonly document: unknown;
  /** Keys that the mapping has already. */
  readonly siblings: readonly string[];
  /** Where the word under the cursor begins, and its part before the cursor. */
  readonly from: number;
  readonly typed: string;
}

/** Stands in for the word under the cursor; no rule file has it. */
const MARK = 'zzcursorzz';
const WORD = /[\w.-]*$/;

/** Null in comments, in texts of several lines, and where the file cannot be read around the cursor. */
export function cursorAt(text: string, position: number): Cursor | null {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  if (/(^|\s)#/.test(line)) return null;
  const typed = WORD.exec(line)?.[0] ?? '';
  const from = position - typed.length;
  const rest = /^[\w.-]*/.exec(text.slice(position))?.[0].length ?? 0;
  // A word alone in its line is going to be a key: without a colon YAML would read it as a part of the text around it.
  const isAlone = line.trim() === typed && /^[\w.-]*[ \t]*(\n|$)/.test(text.slice(position));
  const marked = `${text.slice(0, from)}${MARK}${isAlone ? ':' : ''}${text.slice(position + rest)}`;
  const document = parseDocument(marked, {
    lineCounter: new LineCounter(),
    strict: false,
    uniqueKeys: false,
  });
  const found = findMark(document.contents);
  if (found === null) return null;
  const { path, at, siblings } = found;
  return { path, at, siblings, document: withoutMark(document.toJS()), from, typed };
}

interface Found {
  readonly path: readonly PathStep[];
  readonly at: 'key' | 'value';
  readonly siblings: readonly string[];
}

function findMark(contents: Node | null): Found | null {
  let found: Found | null = null;
  visit(contents, {
    Scalar(role, node, ancestors) {
      if (node.value !== MARK) return undefined;
      const path = pathOf([...ancestors, node] as readonly (Node | Pair)[]);
      if (role === 'key') {
        const map = ancestors.at(-2);
        found = { path: path.slice(0, -1), at: 'key', siblings: isMap(map) ? keysOf(map.items) : [] };
      } else found = { path, at: 'value', siblings: [] };
      return visit.BREAK;
    },
  });
  return found;
}

function keysOf(items: readonly Pair[]): readonly string[] {
  return items.flatMap(({ key }) => (isScalar(key) && key.value !== MARK ? [String(key.value)] : []));
}

/** Ancestors alternate between collections and pairs; what stands in a list is found by its place. */
function pathOf(nodes: readonly (Node | Pair)[]): readonly PathStep[] {
  return nodes.flatMap((node, index): PathStep[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : ''];
    const next = nodes[index + 1];
    return isSeq(node) && next !== undefined ? [node.items.indexOf(next)] : [];
  });
}

function withoutMark(value: unknown): unknown {
  if (value === MARK) return null;
  if (Array.isArray(value)) return value.map(withoutMark);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== MARK);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutMark(member)]));
}
