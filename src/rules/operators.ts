import type { FactComparison, FactType, FactValue } from '../provider-kit/index.ts';

/** What stands on the right of an operator once facts and thresholds have their values. */
export type RightSide = FactValue | readonly string[] | null;

export interface OperatorDefinition {
  /** True exactly where this operator is false, for all known values. */
  readonly opposite: string;
  /** The types of fact that it fits. */
  readonly types: readonly FactType[];
  readonly holds: (left: FactValue, right: FactValue | readonly string[]) => boolean;
}

const ANY: readonly FactType[] = ['boolean', 'integer', 'number', 'string'];
const NUMERIC: readonly FactType[] = ['integer', 'number'];
const ENUM: readonly FactType[] = ['string'];

/** A comparison of numbers; false, never a coercion, for anything else. */
const numeric =
  (compare: (left: number, right: number) => boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' && compare(left, right);

const among =
  (isAmong: boolean): OperatorDefinition['holds'] =>
  (left, right) =>
    typeof left === 'string' && Array.isArray(right) && right.includes(left) === isAmong;

/**
 * Postern's operators, under json-rules-engine's names. The engine's own take `"12abc"` for a number and a
 * string for a list, and its `notEqual` holds for what is not there.
 */
export const OPERATORS = {
  equal: { opposite: 'notEqual', types: ANY, holds: (left, right) => left === right },
  notEqual: { opposite: 'equal', types: ANY, holds: (left, right) => left !== right },
  in: { opposite: 'notIn', types: ENUM, holds: among(true) },
  notIn: { opposite: 'in', types: ENUM, holds: among(false) },
  lessThan: { opposite: 'greaterThanInclusive', types: NUMERIC, holds: numeric((a, b) => a < b) },
  lessThanInclusive: { opposite: 'greaterThan', types: NUMERIC, holds: numeric((a, b) => a <= b) },
  greaterThan: { opposite: 'lessThanInclusive', types: NUMERIC, holds: numeric((a, b) => a > b) },
  greaterThanInclusive: { opposite: 'lessThan', types: NUMERIC, holds: numeric((a, b) => a >= b) },
} as const satisfies Record<FactComparison['operator'], OperatorDefinition>;

export type Operator = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

/** That fit facts of a type. */
export function operatorsFor(type: FactType): readonly Operator[] {
  return OPERATOR_NAMES.filter((name) => OPERATORS[name].types.includes(type));
}

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name);
}

/** Whether the comparison is *known* to hold: false when either side is unknown. */
export function holds(operator: Operator, left: FactValue | null, right: RightSide): boolean {
  return left !== null && right !== null && OPERATORS[operator].holds(left, right);
}
