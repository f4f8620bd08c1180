import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearestOf } from '../../lib/did-you-mean.ts';
import { type KeyPath, type Layer, put, whyUnreadable } from './layer.ts';
import { configKeys, isReadFromFile, type SchemaNode, takesText } from './schema.ts';

const PREFIX = 'POSTERN__';
const FILE_SUFFIX = '_file';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `POSTERN__SECTION__KEY`. Relative paths start from the working directory. */
export function readEnvironmentLayer(env: Environment, cwd: string) {
  const tree: Record<string, unknown> = {};
  const names = new Map<string, string>();
  const faults: string[] = [];

  for (const [name, text] of Object.entries(env)) {
    if (text === undefined || !name.startsWith(PREFIX)) continue;
    const found = meaningOf(name, text, cwd);
    if ('fault' in found) {
      faults.push(`${name}: ${found.fault}`);
      continue;
    }
    const key = found.path.join('.');
    const twin = names.get(key);
    if (twin !== undefined) faults.push(`${name}: says the same as ${twin}; keep one of them`);
    names.set(key, name);
    put(tree, found.path, found.value);
  }

  // An item of a list is named by the variable of the list, a section by the first variable below it.
  const nameOf = (path: KeyPath) => {
    const key = path.join('.');
    const found = [...names.keys()].find(
      (k) => k === key || key.startsWith(`${k}.`) || k.startsWith(`${key}.`),
    );
    return names.get(found ?? '') ?? variableOf(key);
  };
  const at = (path: KeyPath) => `${nameOf(path)}:`;
  const layer: Layer = { tree, base: cwd, hasRawOptions: true, origin: nameOf, at };
  return { layer, faults, warnings: nearMisses(env) };
}

type Meaning = { readonly path: KeyPath; readonly value: unknown } | { readonly fault: string };

/** A variable that names a key sets that key. Only if it names none can `_FILE` at its end mean a file to read. */
function meaningOf(name: string, text: string, cwd: string): Meaning {
  const path = name.slice(PREFIX.length).toLowerCase().split('__');
  const key = path.join('.');
  const schema = configKeys.get(key);
  if (schema !== undefined) return { path, value: typed(text, schema) };

  const secret = key.endsWith(FILE_SUFFIX) ? key.slice(0, -FILE_SUFFIX.length) : '';
  if (isReadFromFile(configKeys.get(secret))) {
    const read = readSecret(text, cwd);
    return 'fault' in read ? read : { path: secret.split('.'), value: read.value };
  }

  const [section, id, option] = path;
  if (section === 'providers' && id && option && path.length === 3) {
    return { path, value: text };
  }
  const nearest = nearestOf(key, configKeys.keys());
  return { fault: `is not a known key${nearest ? ` (did you mean ${variableOf(nearest)}?)` : ''}` };
}

/** The text as it is where the key takes text; else parsed as JSON. Text that is no JSON is left for the schema to refuse. */
export function typed(text: string, schema: SchemaNode): unknown {
  if (takesText(schema)) return text === 'null' && schema.type?.includes('null') ? null : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The secret in a file, without the line end that editors and `echo` leave. */
export function readSecret(
  path: string,
  cwd: string,
): { readonly value: string } | { readonly fault: string } {
  // An empty path would resolve to the working directory.
  if (path === '') return { fault: 'must not be empty' };
  try {
    return { value: readFileSync(resolve(cwd, path), 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { fault: `${path} ${whyUnreadable(error)}` };
  }
}

/** `http.tls.cert_file` is `POSTERN__HTTP__TLS__CERT_FILE`. */
export function variableOf(key: string): string {
  return PREFIX + key.toUpperCase().replaceAll('.', '__');
}

/** `POSTERN_HTTP_PORT` looks like a setting and is none. A warning, not a fault: other programs may own such names. */
function nearMisses(env: Environment): string[] {
  const squeezed = (name: string) => name.toUpperCase().replace(/_+/g, '_');
  const known = new Map([...configKeys.keys()].map((key) => [squeezed(variableOf(key)), variableOf(key)]));
  return Object.keys(env)
    .filter((name) => !name.startsWith(PREFIX))
    .flatMap((name) => {
      const meant = known.get(squeezed(name));
      return meant === undefined ? [] : [`${name}: is not read (did you mean ${meant}?)`];
    });
}
