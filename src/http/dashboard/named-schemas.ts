import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../provider-kit/index.ts';

/** Collects schemas that have a title, and writes references in their places. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = {};
  readonly #place: string;

  /** `place` is where `all` will stand in the document: `#/components/schemas`. */
  constructor(place: string) {
    this.#place = place;
  }

  /**
   * The schema with every named one in it, itself too, replaced by a reference. What is said of it in this place alone
   * stays here, beside the reference.
   */
  refer(schema: unknown): JsonSchema {
    const copy = this.#copy(schema) as JsonSchema;
    const { title, description, ...rest } = copy;
    if (typeof title !== 'string') return copy;
    const named = { title, ...rest };
    this.all[title] ??= named;
    if (!isDeepStrictEqual(this.all[title], named)) {
      throw new Error(`two schemas are named "${title}"`);
    }
    const reference = { $ref: `${this.#place}/${title}` };
    return description === undefined ? reference : { ...reference, description };
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#part(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.#part(part)]));
  }

  #part(value: unknown): unknown {
    const isNamed =
      typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string';
    return isNamed ? this.refer(value) : this.#copy(value);
  }
}

/** The same schema, in which each named one stands once however often it is used. */
export function withDefinitions(schema: JsonSchema): JsonSchema {
  const names = new NamedSchemas('#/$defs');
  return { ...names.refer(schema), $defs: names.all };
}
