import { isDeepStrictEqual } from 'node:util';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { WORDS_PATTERN } from '../lib/text.ts';
import type { JsonSchema } from '../provider-kit/index.ts';

/** A JSON Schema written as a literal, so that the types of what it describes follow from it. */
export type LiteralSchema = Exclude<JSONSchema, boolean>;

/** The type of what fits a schema; a member with a default is always there. */
export type Of<S> = S extends LiteralSchema ? FromSchema<S> : undefined;

/** An object with these members and no other; all are there but the optional ones. */
export function closed<
  const P extends Readonly<Record<string, LiteralSchema>>,
  const O extends keyof P & string = never,
>(properties: P, optional: readonly O[] = []) {
  const isOptional = (name: string) => (optional as readonly string[]).includes(name);
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !isOptional(name)) as Exclude<keyof P & string, O>[],
    additionalProperties: false,
  } as const;
}

/** With a name: it is written once in the description, and clients' types have its name. */
export function named<const T extends string, const S extends LiteralSchema>(title: T, schema: S) {
  return { title, ...schema } as const;
}

/** A closed object with a name. */
export function record<
  const T extends string,
  const P extends Readonly<Record<string, LiteralSchema>>,
  const O extends keyof P & string = never,
>(title: T, properties: P, optional: readonly O[] = []) {
  return named(title, closed(properties, optional));
}

/** A list of them; `description` says what it is for in this place. */
export function listOf<const S extends LiteralSchema>(items: S, description?: string) {
  return { type: 'array', items, ...(description !== undefined && { description }) } as const;
}

/** That, or null. */
export function nullable<const S extends LiteralSchema>(schema: S, description?: string) {
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) } as const;
}

/** A name, a reason: text that a person chose, on one line. */
export function words<const N extends number>(maxLength: N) {
  return { type: 'string', minLength: 1, maxLength, pattern: WORDS_PATTERN } as const;
}

export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean' } as const;
export const INTEGER = { type: 'integer' } as const;
export const NUMBER = { type: 'number' } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const SCORE = { type: 'integer', minimum: 0, maximum: 100 } as const;
/** ISO 8601, UTC, milliseconds. */
export const INSTANT = { type: 'string', format: 'date-time' } as const;

/** Collects schemas that have a title, and puts references in their places, which begin with `place`: `#/components/schemas`. */
export function namedSchemas(place: string) {
  const all: Record<string, JsonSchema> = {};
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
    const { title, description, ...rest } = copy;
    if (typeof title !== 'string') return copy;
    const named = { title, ...rest };
    all[title] ??= named;
    if (!isDeepStrictEqual(all[title], named)) throw new Error(`two schemas are named "${title}"`);
    const reference = { $ref: `${place}/${title}` };
    return description === undefined ? reference : { ...reference, description };
  };
  return {
    all,
    /** The schema with each named one, itself too, replaced by a reference, beside which a description of this use stays. */
    refer: (schema: JsonSchema) => copyOf(schema) as JsonSchema,
  };
}

/** The same schema, in which each named one is defined once however often it is used. */
export function withDefinitions(schema: JsonSchema): JsonSchema {
  const names = namedSchemas('#/$defs');
  return { ...names.refer(schema), $defs: names.all };
}
