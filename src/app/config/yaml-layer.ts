import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { shortPath } from '../../lib/paths.ts';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { explainSyntaxError } from '../../lib/yaml-syntax.ts';
import { isTree, type KeyPath, type Layer, type Tree } from './layer.ts';
import type { SchemaNode } from './schema.ts';

export interface YamlLayer {
  readonly layer: Layer;
  readonly faults: readonly string[];
}

/** Reads one file. What cannot be read as YAML is a fault, and the layer is then empty. */
export function readYamlLayer(path: string, cwd: string, schema: SchemaNode): YamlLayer {
  const name = shortPath(path, cwd);
  const lines = new LineCounter();
  let text: string;
  let document: Document.Parsed;
  try {
    // uniqueKeys is the default; said because it is promised. Pretty errors would repeat the file's text.
    text = readFileSync(path, 'utf8');
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  } catch (error) {
    return { layer: layerOf(name, path, {}, () => undefined), faults: [`${name} ${whyUnreadable(error)}`] };
  }

  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const faults = faultsOf(document, text).map(([offset, message]) => `${at(offset)} ${message}`);
  visit(document, {
    Alias: (_, { range }) => void faults.push(`${at(range?.[0] ?? 0)} aliases are not taken`),
  });
  const content: unknown = faults.length === 0 ? (document.toJS() ?? {}) : {};
  if (!isTree(content)) faults.push(`${at(0)} must be a mapping of sections`);
  const tree = isTree(content) ? withoutEmptySections(content, schema) : {};
  const locate = (keys: KeyPath) => {
    const offset = offsetOf(document, keys);
    return offset === undefined ? undefined : lines.linePos(offset);
  };
  return { layer: layerOf(name, path, tree, locate), faults };
}

function faultsOf(document: Document.Parsed, text: string): readonly (readonly [number, string])[] {
  const syntax = explainSyntaxError(document, text);
  if (syntax) return [[syntax.range[0], syntax.message]];
  return [...document.errors, ...document.warnings].map(({ code, pos, message }) => [
    pos[0],
    MESSAGES[code] ?? message,
  ]);
}

/** What is YAML, but nothing that a configuration may hold. */
const MESSAGES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here twice',
  TAG_RESOLVE_FAILED: 'a tag is not taken: write the plain value',
};

type Locate = (path: KeyPath) => { line: number; col: number } | undefined;

function layerOf(name: string, path: string, tree: Tree, locate: Locate): Layer {
  return {
    tree,
    base: dirname(path),
    origin: (keys) => `${name}:${locate(keys)?.line ?? 1}`,
    at: (keys) => {
      const { line, col } = locate(keys) ?? { line: 1, col: 1 };
      return `${name}:${line}:${col} ${keyName(keys)}`;
    },
  };
}

/** `dns.servers[0]` */
function keyName(path: KeyPath): string {
  return path
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

/** Where the deepest part of the path that is written stands: the key of a member, the item of a list. */
function offsetOf(document: Document.Parsed, path: KeyPath): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const name of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      if (isScalar(node) || isMap(node) || isSeq(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** A section whose keys are all commented out is null in YAML; it says nothing. */
function withoutEmptySections(tree: Tree, schema: SchemaNode): Tree {
  const kept = Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    const child = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    const isSection =
      child === undefined ? isTree(schema.additionalProperties) : child.properties !== undefined;
    if (isSection && value === null) return [];
    return [[name, child && isTree(value) ? withoutEmptySections(value, child) : value]];
  });
  return Object.fromEntries(kept);
}

/** For a person: what the system said of a file. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied';
  if (code === 'EISDIR') return 'is a directory, not a file';
  return `cannot be read: ${messageOf(error)}`;
}
