import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { WORDS_PATTERN } from '../../lib/text.ts';

/** A JSON Schema written as a literal, so that the types of what it describes follow from it. */
export type LiteralSchema = Exclude<JSONSchema, boolean>;

/** What a schema lets through; a member with a default is always there. */
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

/** A named object: it stands once in the description, and types of clients have its name. */
export function named<const T extends string, const S extends LiteralSchema>(title: T, schema: S) {
  return { title, ...schema } as const;
}

/** A list of them. */
export function listOf<const S extends LiteralSchema>(items: S) {
  return { type: 'array', items } as const;
}

/** That, or null. */
export function nullable<const S extends LiteralSchema>(schema: S) {
  return { anyOf: [schema, { type: 'null' }] } as const;
}

/** A name, a reason: text that a person chose, on one line. */
export function words<const N extends number>(maxLength: N) {
  return { type: 'string', minLength: 1, maxLength, pattern: WORDS_PATTERN } as const;
}

export const TEXT = { type: 'string' } as const;
/** ISO 8601, UTC, milliseconds. */
export const INSTANT = { type: 'string', format: 'date-time' } as const;
