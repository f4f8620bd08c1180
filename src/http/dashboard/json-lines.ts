import { Readable } from 'node:stream';
import type { LiteralSchema } from './json-types.ts';
import { answerGuard } from './schema-guard.ts';

/** A line is one JSON value (jsonlines.org). */
export const LINES_TYPE = 'application/jsonl';

/**
 * Writes what is yielded as lines, each sent when it is there. What does not fit, or is thrown once lines have left, breaks the
 * answer off: whoever reads it must know its last line.
 */
export function linesOf(
  schema: LiteralSchema,
  operationId: string,
): (values: AsyncIterable<object>) => Readable {
  const guard = answerGuard(schema, operationId);
  async function* write(values: AsyncIterable<object>) {
    for await (const value of values) {
      guard(value);
      yield `${JSON.stringify(value)}\n`;
    }
  }
  return (values) => Readable.from(write(values), { objectMode: false });
}
