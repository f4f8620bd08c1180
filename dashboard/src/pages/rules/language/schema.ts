import type { PathStep } from './cursor.ts';

/** A JSON Schema of draft 7, as far as the schemas of rule files go. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Every schema that applies at a path of a document, also through references, alternatives and conditions. */
export function schemasAt(root: Schema, document: unknown, path: readonly PathStep[]): readonly Schema[] {
  let [schemas, value] = [expand(root, root, document), document];
  for (const step of path) {
    value = memberOf(value, step);
    const below = value;
    schemas = schemas
      .flatMap((schema) => under(schema, step))
      .flatMap((schema) => expand(schema, root, below));
  }
  return schemas;
}

function memberOf(value: unknown, step: PathStep): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<PathStep, unknown>)[step];
}

/** The schemas of a member: an item, a property, or `additionalProperties`. */
function under(schema: Schema, step: PathStep): readonly Schema[] {
  if (typeof step === 'number') return isSchema(schema.items) ? [schema.items] : [];
  const named = isSchema(schema.properties) ? schema.properties[step] : undefined;
  if (isSchema(named)) return [named];
  return isSchema(schema.additionalProperties) ? [schema.additionalProperties] : [];
}

/** The schema itself, and all that it leads to without a step into the document. */
function expand(schema: Schema, root: Schema, value: unknown): readonly Schema[] {
  const { $ref, anyOf, oneOf, allOf, if: condition, then, else: otherwise } = schema;
  const chosen = isSchema(condition) ? (fits(condition, value) ? then : otherwise) : undefined;
  const target = typeof $ref === 'string' ? resolve(root, $ref) : undefined;
  const further = [...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf), chosen, target].filter(isSchema);
  return [schema, ...further.flatMap((one) => expand(one, root, value))];
}

/** `#/definitions/name` */
function resolve(root: Schema, reference: string): Schema | undefined {
  const steps = reference.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>((value, step) => memberOf(value, step), root);
  return isSchema(found) ? found : undefined;
}

/** Whether a value meets an `if`. Knows what these schemas use there: `required`, and `const` or `enum` of members. */
function fits(condition: Schema, value: unknown): boolean {
  const required = listOf(condition.required);
  if (required.some((name) => memberOf(value, String(name)) === undefined)) return false;
  if (!isSchema(condition.properties)) return true;
  return Object.entries(condition.properties).every(([name, wanted]) => {
    const member = memberOf(value, name);
    if (member === undefined || !isSchema(wanted)) return true;
    if ('const' in wanted) return member === wanted.const;
    return !('enum' in wanted) || listOf(wanted.enum).includes(member);
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
