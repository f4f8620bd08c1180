import { type Description, namedSchema, type Schema } from './description.ts';

/** What values a schema takes, in a few words: "list of check", "string or null". */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.allOf;
  if (union !== undefined) return [...new Set(union.map(typeText))].join(schema.anyOf ? ' or ' : ' and ');
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return `by name: ${typeText(schema.additionalProperties)}`;
  const types = [schema.type ?? 'anything'].flat().join(' or ');
  return schema.format === undefined ? types : `${types}, ${schema.format}`;
}

/** The bounds of a schema in words; empty without any. */
export function boundsText(schema: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
    if (low !== undefined && low > 0) return `at least ${low}${unit}`;
    return high === undefined ? '' : `at most ${high}${unit}`;
  };
  return [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' of them'),
    schema.pattern === undefined ? '' : `matches ${schema.pattern}`,
    schema.default === undefined ? '' : `${JSON.stringify(schema.default)} unless given`,
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The schemas with members within a schema: itself, its items, or its alternatives. A `$ref` is not followed: it is shown on demand. */
export function partsOf(schema: Schema): readonly Schema[] {
  if (schema.$ref !== undefined || schema.properties !== undefined) return [schema];
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  return inner.flatMap(partsOf);
}

/** Recursive schemas, such as the conditions of rules, end at this depth. */
const DEPTH = 6;

/** A value of the schema's shape. */
export function exampleOf(schema: Schema, description: Description, depth = 0): unknown {
  const next = (inner: Schema) => exampleOf(inner, description, depth + 1);
  const named = namedSchema(schema, description);
  if (depth > DEPTH) return null;
  if (named !== null) return exampleOf(named.schema, description, depth + 1);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return next(choice);
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(next));
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, next(inner)]));
  }
  const type = [schema.type].flat()[0];
  if (type === 'array') return [next(schema.items ?? {})];
  if (type === 'object')
    return typeof schema.additionalProperties === 'object' ? { '…': next(schema.additionalProperties) } : {};
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return true;
  if (type === 'string') return schema.format === 'date-time' ? '2026-11-20T12:08:28.731Z' : '…';
  return null;
}
