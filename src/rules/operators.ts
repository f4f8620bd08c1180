import { FACT_TYPES, type FactComparison, type FactType, type FactValue } from '../provider-kit/index.ts';
import { entryNaming, isNamedList, type NamedList } from './named-list.ts';

/** What stands on the right of an operator once facts and thresholds have their values. */
export type RightSide = FactValue | readonly string[] | NamedList | null;

/** A side of a comparison that is known. */
type Side = Exclude<RightSide, null>;

export interface OperatorDefinition {
  /** The operator that is true exactly where this one is false, for all known values. */
  readonly opposite: string;
  /** The types of fact that it fits. */
  readonly types: readonly FactType[];
  readonly holds: (left: Side, right: Side) => boolean;
}

const NUMERIC: readonly FactType[] = ['integer', 'number'];
const TEXTS: readonly FactType[] = ['text', 'domain'];
const WORDS: readonly FactType[] = ['string', ...TEXTS];

/** A comparison of numbers; false, never a coercion, for anything else. */
const numeric =
  (compare: (left: number, right: number) => boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);

const text =
  (compare: (left: string, right: string) => boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'string' && typeof right === 'string' && compare(left, right);

const listed =
  (isListed: boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'string' && isNamedList(right) && (entryNaming(left, right) !== undefined) === isListed;

const among =
  (isAmong: boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'string' && Array.isArray(right) && right.includes(left) === isAmong;

/**
 * Postern's operators, under json-rules-engine's names. The engine's own take `"12abc"` for a number and a
 * string for a list, and its `notEqual` holds for a missing fact.
 */
export const OPERATORS = {
  equal: { opposite: 'notEqual', types: FACT_TYPES, holds: (left, right) => left === right },
  notEqual: { opposite: 'equal', types: FACT_TYPES, holds: (left, right) => left !== right },
  in: { opposite: 'notIn', types: WORDS, holds: among(true) },
  notIn: { opposite: 'in', types: WORDS, holds: among(false) },
  lessThan: { opposite: 'greaterThanInclusive', types: NUMERIC, holds: numeric((a, b) => a < b) },
  lessThanInclusive: { opposite: 'greaterThan', types: NUMERIC, holds: numeric((a, b) => a <= b) },
  greaterThan: { opposite: 'lessThanInclusive', types: NUMERIC, holds: numeric((a, b) => a > b) },
  greaterThanInclusive: { opposite: 'lessThan', types: NUMERIC, holds: numeric((a, b) => a >= b) },
  starts_with: { opposite: 'not_starts_with', types: TEXTS, holds: text((a, b) => a.startsWith(b)) },
  not_starts_with: { opposite: 'starts_with', types: TEXTS, holds: text((a, b) => !a.startsWith(b)) },
  ends_with: { opposite: 'not_ends_with', types: TEXTS, holds: text((a, b) => a.endsWith(b)) },
  not_ends_with: { opposite: 'ends_with', types: TEXTS, holds: text((a, b) => !a.endsWith(b)) },
  in_list: { opposite: 'not_in_list', types: ['domain'], holds: listed(true) },
  not_in_list: { opposite: 'in_list', types: ['domain'], holds: listed(false) },
} as const satisfies Record<FactComparison['operator'] | ListOperator, OperatorDefinition>;

/** The operators that look into a list of the rules directory. A provider has no such lists, so its `never` cannot use them. */
export const LIST_OPERATORS = ['in_list', 'not_in_list'] as const;
type ListOperator = (typeof LIST_OPERATORS)[number];

export type Operator = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

export function fitsType(name: Operator, type: FactType): boolean {
  return OPERATORS[name].types.some((fitting) => fitting === type);
}

export function operatorsFor(type: FactType): readonly Operator[] {
  return OPERATOR_NAMES.filter((name) => fitsType(name, type));
}

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name);
}

/** Whether the comparison is *known* to hold: false when either side is unknown. */
export function holds(operator: Operator, left: RightSide, right: RightSide): boolean {
  return left !== null && right !== null && OPERATORS[operator].holds(left, right);
}
