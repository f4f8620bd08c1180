import { isDeepStrictEqual } from 'node:util';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { WORDS_PATTERN } from '../lib/text.ts';
import type { JsonSchema } from '../provider-kit/index.ts';

/** A JSON Schema written as a literal, from which TypeScript derives the type of the described value. */
export type LiteralSchema = Exclude<JSONSchema, boolean>;

/** The type of a value that fits the schema. A member with a default is not optional in the type. */
export type Of<S> = S extends LiteralSchema ? FromSchema<S> : undefined;

/** The schema of an object with exactly these members. Every member is required unless `optional` lists it. */
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

/** Gives a schema a name: the API description defines the schema once, and clients' types have the name. */
export function named<const T extends string, const S extends LiteralSchema>(title: T, schema: S) {
  return { title, ...schema } as const;
}

/** A `closed` schema with a name. */
export function record<
  const T extends string,
  const P extends Readonly<Record<string, LiteralSchema>>,
  const O extends keyof P & string = never,
>(title: T, properties: P, optional: readonly O[] = []) {
  return named(title, closed(properties, optional));
}

/** The schema of a list of `items`; `description` says what the list is for in this place. */
export function listOf<const S extends LiteralSchema>(items: S, description?: string) {
  return { type: 'array', items, ...(description !== undefined && { description }) } as const;
}

/** The schema of a value that fits `schema`, or null. */
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

/** The bug of an answer that does not fit its schema. Paths and keywords only: values could carry an address or a secret into the log. */
export function misfit(what: string, errors: readonly ErrorObject[] | null | undefined): Error {
  const faults = errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  return new Error(`${what} does not fit its schema: ${faults?.join('; ')}`);
}

/** Collects the schemas that have a title, and replaces each by a reference below `place`, for example `#/components/schemas`. */
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
    /** Replaces each named schema, the given one too, by a reference. A description of this use stays beside the reference. */
    refer: (schema: JsonSchema) => copyOf(schema) as JsonSchema,
  };
}

/** The schema with each named schema defined once, under `$defs`, however often it is used. */
export function withDefinitions(schema: JsonSchema): JsonSchema {
  const names = namedSchemas('#/$defs');
  return { ...names.refer(schema), $defs: names.all };
}
