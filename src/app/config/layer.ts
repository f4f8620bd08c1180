import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathOfSqlite } from '../../lib/json-schema.ts';
import { shortPath } from '../../lib/paths.ts';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { describePlace, type Place, ProblemList } from '../../rules/problem.ts';
import { isEmpty, type Located, placeAlong, readYaml, toPlain } from '../../rules/yaml-document.ts';
import { configSchema, type SchemaNode } from './schema.ts';

export type Tree = Readonly<Record<string, unknown>>;
export type KeyPath = readonly string[];

/** One source of settings. A later layer's value replaces an earlier one's, key by key; lists are not joined. */
export interface Layer {
  /** Nested as in the YAML form. */
  readonly tree: Tree;
  /** The directory that relative paths start from. */
  readonly base: string;
  /** Options of providers are still text here: their types are known once the providers are loaded. */
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

/** The last layer that sets the key wins. */
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
  const file = schema.format === 'storage-url' ? pathOfSqlite(value) : undefined;
  if (file !== undefined) return resolve(layer.base, file);
  return value;
}

/** Reads one file, as rule files are read. Text that is no YAML, or that YAML reads otherwise than it looks, is a fault. */
export function readYamlLayer(path: string, cwd: string) {
  const name = shortPath(path, cwd);
  const start: Place = { file: name, line: 1, column: 1 };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { layer: layerOf(path, {}, () => start), faults: [`${name} ${whyUnreadable(error)}`] };
  }
  const problems = new ProblemList();
  const located = readYaml({ file: name, text }, problems);
  if (located) reportOddities(located, problems);
  const faults = problems.sorted().map((problem) => `${describePlace(problem)} ${problem.message}`);
  const content = located && !isEmpty(located) ? toPlain(located) : {};
  if (!isTree(content)) faults.push(`${describePlace(start)} must be a mapping of sections`);
  const tree = isTree(content) ? withoutEmptySections(content, configSchema) : {};
  return { layer: layerOf(path, tree, (keys) => (located ? placeAlong(located, keys) : start)), faults };
}

/** Reports a text or null that looks like another text in the file: half a secret, or no quota. */
function reportOddities(located: Located, problems: ProblemList): void {
  if (located.kind === 'map')
    for (const { value } of located.entries.values()) reportOddities(value, problems);
  else if (located.kind === 'list') for (const item of located.items) reportOddities(item, problems);
  else if (
    located.oddity &&
    !located.oddity.isComment &&
    (located.value === null || typeof located.value === 'string')
  )
    problems.report('not_as_written', located.oddity.place, located.oddity.message);
}

function layerOf(path: string, tree: Tree, placeOf: (path: KeyPath) => Place): Layer {
  return {
    tree,
    base: dirname(path),
    origin: (keys) => {
      const { file, line } = placeOf(keys);
      return `${file}:${line}`;
    },
    at: (keys) => `${describePlace(placeOf(keys))} ${keyName(keys)}`,
  };
}

/** `dns.servers[0]`. `{ token:s3cret }` is one key, which may hold a secret: the part after the colon is hidden. */
function keyName(path: KeyPath): string {
  return path
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name.replace(/:.+/s, ':…')}`))
    .join('')
    .replace(/^\./, '');
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
