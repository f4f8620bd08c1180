import { Readable } from 'node:stream';
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { AppError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import { pathOf } from '../../lib/json-schema.ts';
import { WORDS_PATTERN } from '../../lib/text.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import { misfit, withDefinitions } from '../json-types.ts';

// A test checks that our own schemas are valid ones; `format` only describes.
const COMMON: Options = { allowUnionTypes: true, validateSchema: false, validateFormats: false };
const ofInputs: Options = { ...COMMON, useDefaults: true, allErrors: true };
// The text 1e400 is read as Infinity. Strict numbers would not hold it to the bounds of its schema.
const forQueries = new Ajv2020({ ...ofInputs, coerceTypes: 'array', strictNumbers: false });
const forBodies = new Ajv2020(ofInputs);
const forLargeBodies = new Ajv2020({ ...ofInputs, allErrors: false });
/** Compiling blocks the event loop: 0.2 s for the largest answer with named schemas inlined, a third of that with a function for each. */
const forAnswers = new Ajv2020({ ...COMMON, inlineRefs: false, code: { optimize: false } });

const MOST_DETAILS = 20;

/** Refuses a query that does not fit; fills in its defaults and reads numbers and booleans from their text. */
export function queryGuard(schema: JsonSchema) {
  return inputGuard(forQueries, schema, 'query');
}

/** Refuses a body that does not fit; fills in its defaults. All mistakes of a small body are listed, only the first of a body of megabytes. */
export function bodyGuard(schema: JsonSchema, isSmall: boolean) {
  return inputGuard(isSmall ? forBodies : forLargeBodies, schema, 'body');
}

/** Throws where an answer does not fit its schema: that is a bug, answered with 500. */
export function answerGuard(schema: JsonSchema, operationId: string): (answer: unknown) => void {
  const isValid = once(() => forAnswers.compile(withDefinitions(schema)));
  return (answer) => {
    const validate = isValid();
    if (!validate(answer)) throw misfit(`the answer of ${operationId}`, validate.errors);
  };
}

function inputGuard(ajv: Ajv2020, schema: JsonSchema, part: 'query' | 'body'): (input: object) => object {
  const isValid = once(() => ajv.compile(schema));
  return (input) => {
    const validate = isValid();
    if (validate(input)) return input;
    const details = (validate.errors ?? []).slice(0, MOST_DETAILS).map((error) => ({
      path: [part, ...pathOf(error)].join('/'),
      message: wordsOf(error),
    }));
    throw new AppError('invalid_request', { details });
  };
}

function wordsOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'pattern' && params.pattern === WORDS_PATTERN) {
    return 'must show something, and hold no control characters and none that are invisible or turn the direction of text';
  }
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not known here';
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  return message ?? 'is not as described';
}

/** A line is one JSON value (jsonlines.org). */
export const LINES_TYPE = 'application/jsonl';

/** Sends each value as a line. A value that does not fit, or a later error, ends the connection early: clients check for the last line. */
export function linesOf(schema: JsonSchema, operationId: string) {
  const guard = answerGuard(schema, operationId);
  async function* write(values: AsyncIterable<object>) {
    for await (const value of values) {
      guard(value);
      yield `${JSON.stringify(value)}\n`;
    }
  }
  return (values: AsyncIterable<object>) => Readable.from(write(values), { objectMode: false });
}
