import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../../provider-kit/index.ts';

/** Collects schemas that have a title, and writes references in their places. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = {};

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
    const reference = { $ref: `#/components/schemas/${title}` };
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
