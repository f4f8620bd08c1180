import { type Comparison, type Condition, RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import { isOperator, OPERATOR_NAMES, OPERATORS, type Operator, operatorsFor } from '../operators.ts';
import { type Elsewhere, meantBy, type Place, type ProblemList } from '../problem.ts';
import type { Located, LocatedMap } from '../yaml-document.ts';
import type { ReadableFact, RuleContext } from './context.ts';
import { openMap, part, type RefusedKeys, refusalOf, text } from './fields.ts';
import { REFUSED_OF_FACT, readOperand } from './read-operand.ts';

const COMBINERS = ['all', 'any', 'not'] as const;
type Combiner = (typeof COMBINERS)[number];
const COMPARISON_KEYS = ['fact', 'operator', 'value'] as const;
const FORMS = 'a condition is { all }, { any }, { not } or { fact, operator, value }';

/** What other languages call them. */
const COMBINERS_ELSEWHERE: Elsewhere = {
  all: ['and', '&&', 'every', 'allof', 'all_of'],
  any: ['or', '||', 'some', 'anyof', 'any_of'],
  not: ['!'],
};

const NONE = ['wrong_shape', 'write not: { any: [ … ] } where none may be true'] as const;

/** What json-rules-engine or another language reads from a condition and Postern does not. */
const REFUSED: RefusedKeys = {
  ...REFUSED_OF_FACT,
  priority: ['engine_extra', 'all conditions are read, in no order: there is no priority'],
  name: ['engine_extra', 'a condition has no name: the rule has an id'],
  condition: ['engine_extra', 'conditions are written out where they are used, not referred to by name'],
  none: NONE,
  nor: NONE,
};

const COMPARISON = {
  what: 'a comparison',
  members: { fact: text(), operator: text(), value: part() },
  refused: REFUSED,
};

/** The condition of a rule; like json-rules-engine's, it begins with all, any or not. */
export function readConditions(value: Located, context: RuleContext): Condition | undefined {
  if (value.kind === 'map' && value.entries.has('fact')) {
    context.problems.report('wrong_shape', value.place, 'conditions must begin with all, any or not', 'all');
    return undefined;
  }
  return readCondition(value, context);
}

function readCondition(value: Located, context: RuleContext): Condition | undefined {
  const { problems } = context;
  if (value.kind !== 'map') return problems.report('wrong_shape', value.place, FORMS);
  const combiners = COMBINERS.filter((key) => value.entries.has(key));
  const comparisonKeys = COMPARISON_KEYS.filter((key) => value.entries.has(key));
  if (combiners.length > 1 || (combiners.length === 1 && comparisonKeys.length > 0)) {
    const found = [...combiners, ...comparisonKeys].join(' and ');
    const message = `${found} stand side by side: the engine would read one only`;
    return problems.report('mixed_condition', value.place, message);
  }
  const [combiner] = combiners;
  if (combiner !== undefined) {
    const shape = { what: 'a condition', members: { [combiner]: part() }, refused: REFUSED };
    const inner = openMap(value, shape, problems)?.values[combiner];
    return inner && combine(inner, combiner, context);
  }
  if (comparisonKeys.length > 0) return readComparison(value, context);
  reportNoCondition(value, context);
  return undefined;
}

function combine(inner: Located, combiner: Combiner, context: RuleContext): Condition | undefined {
  const { problems } = context;
  if (combiner === 'not') {
    const condition = readCondition(inner, context);
    return condition && { not: condition };
  }
  if (inner.kind !== 'list') {
    const message = `"${combiner}" must be a list of conditions, each with "- " at its front`;
    return problems.report('wrong_shape', inner.place, message);
  }
  if (inner.items.length === 0) {
    return problems.report('empty_condition', inner.place, `an empty "${combiner}" would always be true`);
  }
  const parts = inner.items.map((item) => readCondition(item, context));
  const sound = parts.filter((part) => part !== undefined);
  // A condition with a broken part is left out whole; its other parts have been judged all the same.
  if (sound.length < parts.length) return undefined;
  return combiner === 'all' ? { all: sound } : { any: sound };
}

function reportNoCondition({ entries, place }: LocatedMap, context: RuleContext): void {
  const { problems } = context;
  const refusal = [...entries.keys()]
    .map((key) => refusalOf(key, REFUSED))
    .find((found) => found !== undefined);
  if (refusal) {
    problems.report(refusal[0], place, refusal[1]);
    return;
  }
  for (const [key, { keyPlace, value }] of entries) {
    const meant = meantBy(key, [...COMBINERS, ...COMPARISON_KEYS], COMBINERS_ELSEWHERE);
    if (meant.length === 0) continue;
    problems.report('wrong_shape', keyPlace, FORMS, ...meant);
    const combiner = COMBINERS.find((own) => own === meant[1]);
    // What stands in it is judged all the same.
    if (combiner) combine(value, combiner, context);
    return;
  }
  problems.report('wrong_shape', place, FORMS);
}

function readComparison(value: LocatedMap, context: RuleContext): Comparison | undefined {
  const { problems } = context;
  const fields = openMap(value, COMPARISON, problems);
  if (!fields) return undefined;
  const { fact: factName, operator: operatorName, value: operand } = fields.values;
  const factPlace = fields.placeOf('fact');
  const operatorPlace = fields.placeOf('operator');
  const fact = factName === undefined ? undefined : findFact(factName, factPlace, context);
  const operator =
    operatorName === undefined ? undefined : findOperator(operatorName, operatorPlace, problems);
  if (!fact || !operand) return undefined;
  if (!operator) {
    // Whatever operator was meant: one word is compared with one value.
    if (operand.kind === 'scalar') readOperand(operand, fact, 'equal', context);
    return undefined;
  }
  if (!OPERATORS[operator].types.includes(fact.type)) {
    const fitting = operatorsFor(fact.type).join(', ');
    const message = `${operator} does not fit ${fact.id}, which is a ${fact.type}: use ${fitting}`;
    return problems.report('operator_misfit', operatorPlace, message);
  }
  const right = readOperand(operand, fact, operator, context);
  return right === undefined ? undefined : { fact: fact.id, operator, value: right, place: factPlace };
}

/** The fact on the left, if rules of this kind may read it there. */
function findFact(
  id: string,
  place: Place,
  { facts, kind, problems }: RuleContext,
): ReadableFact | undefined {
  const fact = facts.get(id);
  if (id.startsWith(THRESHOLD_PREFIX)) {
    problems.report('unknown_fact', place, 'a threshold stands on the right: value: { fact: threshold.… }');
  } else if (!fact) {
    const names = [...facts.keys()].filter((name) => !name.startsWith(THRESHOLD_PREFIX));
    problems.report('unknown_fact', place, `no provider answers a fact "${id}"`, ...meantBy(id, names));
  } else if (id === RISK_SCORE && (kind === 'points' || kind === 'force')) {
    const message =
      'risk_score is not known before all points are counted: read it in levels and actions only';
    problems.report('score_not_ready', place, message);
  } else if (id !== RISK_SCORE && kind === 'level') {
    problems.report('level_reads_fact', place, `a level reads risk_score only, not ${id}`);
  } else {
    return fact;
  }
  return undefined;
}

function findOperator(name: string, place: Place, problems: ProblemList): Operator | undefined {
  if (isOperator(name)) return name;
  if (name.includes(':')) {
    const message = `operator decorators such as "${name}" are refused: they turn unknown into true; use { not } around the comparison`;
    // What `not:equal` comes to where unknown stays unknown; undefined for other decorators.
    const [, inner = ''] = /^not:(.+)$/.exec(name) ?? [];
    const plain = isOperator(inner) ? OPERATORS[inner].opposite : undefined;
    problems.report('decorator_refused', place, message, plain, plain);
  } else {
    const meant = meantBy(name, OPERATOR_NAMES, OPERATORS_ELSEWHERE);
    const all = meant.length === 0 ? `: there are ${OPERATOR_NAMES.join(', ')}` : '';
    problems.report('unknown_operator', place, `there is no operator "${name}"${all}`, ...meant);
  }
  return undefined;
}

/** What other languages call them. */
const OPERATORS_ELSEWHERE: Elsewhere = {
  equal: ['=', '==', '===', 'eq', 'is', 'equals'],
  notEqual: ['!=', '!==', '<>', 'ne', 'neq', 'isnot', 'is_not'],
  in: ['isin', 'is_in', 'oneof', 'one_of', 'among'],
  notIn: ['nin', 'not_in', 'isnotin', 'noneof'],
  lessThan: ['<', 'lt', 'below'],
  lessThanInclusive: ['<=', '=<', 'lte', 'le', 'lessthanorequal', 'lessthanorequalto'],
  greaterThan: ['>', 'gt', 'above'],
  greaterThanInclusive: ['>=', '=>', 'gte', 'ge', 'greaterthanorequal', 'greaterthanorequalto'],
};
