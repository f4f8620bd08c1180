import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../lib/paths.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';

/** The parts of a JSON Schema that the loader reads itself; ajv reads the rest. */
export interface SchemaNode extends JsonSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly format?: string;
  readonly default?: unknown;
  /** Never shown; may be read from a file by a variable that ends in `_FILE`. */
  readonly secret?: boolean;
  /** An address that is shown without its password; may be read from a file like a secret. */
  readonly holds_password?: boolean;
}

export const configSchema: SchemaNode = JSON.parse(
  readFileSync(join(packageRoot, 'config', 'schema.json'), 'utf8'),
);

/** Every key that holds a value, in the schema's order: `http.tls.cert_file` to its schema. */
export const configKeys: ReadonlyMap<string, SchemaNode> = new Map(leavesOf(configSchema));

function* leavesOf(node: SchemaNode, prefix = ''): Generator<[string, SchemaNode]> {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    if (child.properties === undefined) yield [prefix + name, child];
    else yield* leavesOf(child, `${prefix}${name}.`);
  }
}

/** Whether a variable that ends in `_FILE` may name a file that holds the value. */
export function isReadFromFile({ secret, holds_password }: SchemaNode = {}): boolean {
  return secret === true || holds_password === true;
}

/** Whether a value of this schema can be a plain string, so that a variable's text is taken as it is. */
export function takesText(node: SchemaNode): boolean {
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
  return types.includes('string') || (node.enum ?? []).some((value) => typeof value === 'string');
}
