import { byId } from '../../lib/text.ts';
import { type JsonSchema, LONGEST_TEXT } from '../../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../signals/signals.ts';
import { RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import { ID } from '../lint/fields.ts';
import { areComparable, LONGEST_INLINE_LIST } from '../lint/read-operand.ts';
import { OPERATOR_NAMES, type Operator, operatorsFor } from '../operators.ts';

type Readable = Pick<CataloguedFact, 'id' | 'type' | 'values' | 'description'>;

const SCORE: Readable = { id: RISK_SCORE, type: 'integer', description: 'The score, from 0 to 100.' };
const THRESHOLD_PATTERN = `^${THRESHOLD_PREFIX.replace('.', '\\.')}[a-z0-9_]+$`;

/** What the conditions of each kind of rule may read. */
export type Reader = 'points' | 'level' | 'action';

/** The definitions that `conditionsRef` points to. */
export function conditionDefinitions(catalogue: FactCatalogue, readers: readonly Reader[]): JsonSchema {
  const facts = [...catalogue.facts.values()].sort(byId);
  const readable: Readonly<Record<Reader, readonly Readable[]>> = {
    points: facts,
    level: [SCORE],
    action: [SCORE, ...facts],
  };
  return Object.fromEntries(
    readers.flatMap((reader) => [
      [`${reader}_conditions`, combination(reader, false)],
      [`${reader}_condition`, combination(reader, true)],
      [`${reader}_comparison`, comparison(readable[reader])],
    ]),
  );
}

/** Conditions at the root: they begin with all, any, at_least or not. */
export function conditionsRef(reader: Reader): JsonSchema {
  return { $ref: `#/definitions/${reader}_conditions` };
}

function combination(reader: Reader, canCompare: boolean): JsonSchema {
  const condition = { $ref: `#/definitions/${reader}_condition` };
  const list = { type: 'array', minItems: 1, items: condition };
  const only = (key: string, description: string, value: object) =>
    closed({ [key]: { description, ...value } });
  return {
    anyOf: [
      only('all', 'True when every one of these is.', list),
      only('any', 'True when one of these is.', list),
      only(
        'at_least',
        'True when so many of these are.',
        closed({ count: { type: 'integer', minimum: 1 }, of: list }),
      ),
      only('not', 'True when this is false; unknown stays unknown.', { allOf: [condition] }),
      ...(canCompare ? [{ $ref: `#/definitions/${reader}_comparison` }] : []),
      // A named condition reads facts, and a level reads none.
      ...(canCompare && reader !== 'level'
        ? [only('condition', 'A named condition of any file.', { type: 'string', pattern: ID.source })]
        : []),
    ],
  };
}

/** One form for each kind of fact, since operators and values depend on it: a number has no words, and a boolean no size. */
function comparison(facts: readonly Readable[]): JsonSchema {
  const kinds = Map.groupBy(facts, ({ type, values = [] }) => JSON.stringify([type, values]));
  const fact = { anyOf: facts.map(({ id, description }) => ({ const: id, description })) };
  return {
    ...closed({ fact, operator: { enum: OPERATOR_NAMES }, value: {} }),
    allOf: [...kinds.values()].map((alike) => ({
      if: { required: ['fact'], properties: { fact: { enum: alike.map(({ id }) => id) } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: rightSide(alike[0] ?? SCORE, facts),
    })),
  };
}

function rightSide(fact: Readable, facts: readonly Readable[]): JsonSchema {
  const { type, values, id } = fact;
  if (type === 'text' || type === 'domain') return textSide(fact, facts);
  const alike =
    id === RISK_SCORE ? [] : facts.filter((other) => other.id !== RISK_SCORE && areComparable(fact, other));
  const isNumber = type === 'integer' || type === 'number';
  const value = { anyOf: [values ? { enum: values } : { type }, reference(alike, isNumber)] };
  const operator = { enum: operatorsFor(type) };
  if (!values) return { properties: { operator, value } };
  const words = { type: 'array', minItems: 1, maxItems: LONGEST_INLINE_LIST, items: { enum: values } };
  return {
    properties: { operator },
    if: { properties: { operator: { enum: ['in', 'notIn'] } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { value: words } },
    else: { properties: { value } },
  };
}

/** The right side for open text: a text or another fact, several texts, the beginning or end of a text, or the name of a list. */
function textSide(fact: Readable, facts: readonly Readable[]): JsonSchema {
  const text = { type: 'string', minLength: 1, maxLength: LONGEST_TEXT };
  const alike = facts.filter((other) => areComparable(fact, other));
  const several = { type: 'array', minItems: 1, maxItems: LONGEST_INLINE_LIST, items: text };
  const whenOperator = (operators: readonly Operator[], value: JsonSchema) => ({
    if: { properties: { operator: { enum: operators } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { value } },
  });
  return {
    properties: { operator: { enum: operatorsFor(fact.type) } },
    allOf: [
      whenOperator(['equal', 'notEqual'], { anyOf: [text, reference(alike, false)] }),
      whenOperator(['in', 'notIn'], several),
      whenOperator(['starts_with', 'not_starts_with', 'ends_with', 'not_ends_with'], text),
      whenOperator(['in_list', 'not_in_list'], {
        description: 'A list of the rules directory: lists/<name>.yaml or lists/<name>.txt.',
        type: 'string',
        pattern: ID.source,
      }),
    ],
  };
}

/** `{ fact: <id> }`, or a threshold. */
function reference(facts: readonly Readable[], isNumber: boolean): JsonSchema {
  const anyOf = [
    ...(isNumber ? [{ pattern: THRESHOLD_PATTERN }] : []),
    ...(facts.length > 0 ? [{ enum: facts.map(({ id }) => id) }] : []),
  ];
  return closed({ fact: { type: 'string', anyOf } });
}

function closed(properties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
