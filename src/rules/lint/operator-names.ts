import { isOperator, OPERATOR_NAMES, OPERATORS } from '../operators.ts';
import { suggest } from '../suggestion.ts';

/** What other languages call them. */
const ELSEWHERE: Readonly<Record<(typeof OPERATOR_NAMES)[number], readonly string[]>> = {
  equal: ['=', '==', '===', 'eq', 'is', 'equals'],
  notEqual: ['!=', '!==', '<>', 'ne', 'neq', 'isNot', 'is_not'],
  in: ['isIn', 'is_in', 'oneOf', 'one_of', 'among'],
  notIn: ['nin', 'not_in', 'isNotIn', 'noneOf'],
  lessThan: ['<', 'lt', 'below'],
  lessThanInclusive: ['<=', '=<', 'lte', 'le', 'lessThanOrEqual', 'lessThanOrEqualTo'],
  greaterThan: ['>', 'gt', 'above'],
  greaterThanInclusive: ['>=', '=>', 'gte', 'ge', 'greaterThanOrEqual', 'greaterThanOrEqualTo'],
};

/** The operator that was probably meant. */
export function suggestOperator(name: string): string | undefined {
  const lower = name.toLowerCase();
  const alias = OPERATOR_NAMES.find((known) =>
    ELSEWHERE[known].some((other) => other.toLowerCase() === lower),
  );
  return alias ?? suggest(name, OPERATOR_NAMES);
}

/** What `not:equal` comes to where unknown stays unknown; undefined for other decorators. */
export function withoutDecorator(name: string): string | undefined {
  const [, inner = ''] = /^not:(.+)$/.exec(name) ?? [];
  return isOperator(inner) ? OPERATORS[inner].opposite : undefined;
}
