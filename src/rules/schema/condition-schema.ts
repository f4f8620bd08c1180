import { byId } from '../../lib/text.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../signals/signals.ts';
import { RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import { areComparable, LONGEST_INLINE_LIST } from '../lint/read-operand.ts';
import { OPERATOR_NAMES, operatorsFor } from '../operators.ts';

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

/** Conditions at the root: they begin with all, any or not. */
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
      only('not', 'True when this is false; unknown stays unknown.', { allOf: [condition] }),
      ...(canCompare ? [{ $ref: `#/definitions/${reader}_comparison` }] : []),
    ],
  };
}

/** One form for each kind of fact: a number has no words, and a boolean no size. */
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
