import { resolve } from 'node:path';
import { pathOfSqlite } from './formats.ts';
import type { SchemaNode } from './schema.ts';

export type Tree = Readonly<Record<string, unknown>>;
export type KeyPath = readonly string[];

/** One source of settings. A later layer's value replaces an earlier one's, key by key; lists are not joined. */
export interface Layer {
  /** Nested as in the YAML form. */
  readonly tree: Tree;
  /** The directory that relative paths start from. */
  readonly base: string;
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

/** Own members only: a key called `constructor` is not there unless somebody wrote it. */
export function valueAt(tree: Tree, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, name) => (isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    tree,
  );
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
