import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { shortPath } from '../../lib/paths.ts';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { explainSyntaxError } from '../../lib/yaml-syntax.ts';
import { pathOfSqlite, type SchemaNode } from './schema.ts';

export type Tree = Readonly<Record<string, unknown>>;
export type KeyPath = readonly string[];

/** One source of settings. A later layer's value replaces an earlier one's, key by key; lists are not joined. */
export interface Layer {
  /** Nested as in the YAML form. */
  readonly tree: Tree;
  /** The directory that relative paths start from. */
  readonly base: string;
  /** Its options of providers are text: their types are known once the providers are. */
  readonly hasRawOptions?: true;
  /** What `config show` names: `config/local.yaml:3`, a variable, `default`. */
  origin(path: KeyPath): string;
  /** How a fault begins: `config/local.yaml:3:5 http.port`, `POSTERN__HTTP__PORT:`. */
  at(path: KeyPath): string;
}

/** A value with the layer that it came from. */
export interface Setting {
  readonly value: unknown;
  readonly layer: Layer;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: a key called `constructor` is not there unless it was written. */
export function valueAt(tree: Tree, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, name) => (isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    tree,
  );
}

/** Sets an own member, also one called `__proto__`, in sections that it makes. */
export function put(tree: Record<string, unknown>, [name = '', ...rest]: KeyPath, value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(tree, name, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  if (!Object.hasOwn(tree, name)) put(tree, [name], {});
  // A key of the schema never is also a section.
  put(tree[name] as Record<string, unknown>, rest, value);
}

/** The last layer that says anything rules. */
export function effective(layers: readonly Layer[], path: KeyPath): Setting | undefined {
  const layer = layers.findLast(({ tree }) => valueAt(tree, path) !== undefined);
  return layer && { layer, value: valueAt(layer.tree, path) };
}

/** The value with its paths made absolute, from the file or directory that named them. */
export function withAbsolutePaths({ value, layer }: Setting, schema: SchemaNode): unknown {
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema;
    return value.map((item) => withAbsolutePaths({ value: item, layer }, items));
  }
  if (typeof value !== 'string') return value;
  if (schema.format === 'path') return resolve(layer.base, value);
  if (schema.format === 'sqlite-path') return resolve(layer.base, pathOfSqlite(value) ?? '');
  return value;
}

interface YamlLayer {
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
