import { counted } from '../../lib/statistics.ts';
import { comparisonsOf, describeCondition, toNegationNormalForm, unorderedText } from '../conditions.ts';
import {
  type Comparison,
  type Condition,
  type NamedUse,
  RISK_SCORE,
  THRESHOLD_PREFIX,
} from '../definitions.ts';
import {
  fitsType,
  isOperator,
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  operatorsFor,
} from '../operators.ts';
import { type Elsewhere, meantBy, type Place, type ProblemList } from '../problem.ts';
import { isOpenText } from '../telling-values.ts';
import type { Located, LocatedMap } from '../yaml-document.ts';
import type { ConditionContext, ReadableFact } from './context.ts';
import { integer, openMap, part, type RefusedKeys, text } from './fields.ts';
import { REFUSED_OF_FACT, readOperand } from './read-operand.ts';

const COMBINERS = ['all', 'any', 'at_least', 'not'] as const;
type Combiner = (typeof COMBINERS)[number];
/** Keys of a comparison, and of the use of a named condition. */
const PLAIN_KEYS = ['fact', 'operator', 'value', 'condition'] as const;
const FORMS =
  'a condition is { all }, { any }, { at_least }, { not }, { fact, operator, value } or { condition }';

/** What other languages call them. */
const COMBINERS_ELSEWHERE: Elsewhere = {
  all: ['and', '&&', 'every', 'allof', 'all_of'],
  any: ['or', '||', 'some', 'anyof', 'any_of'],
  at_least: ['atleast', 'n_of', 'some_of', 'min_should_match'],
  not: ['!'],
};

const NONE = ['wrong_shape', 'write not: { any: [ … ] } where none may be true'] as const;

/** Keys that json-rules-engine or another language reads from a condition, and Postern refuses. */
const REFUSED: RefusedKeys = new Map([
  ...REFUSED_OF_FACT,
  ['priority', ['engine_extra', 'all conditions are read, in no order: there is no priority']],
  ['name', ['engine_extra', 'a condition has no name: the rule has an id']],
  ['none', NONE],
  ['nor', NONE],
]);

const COMPARISON = {
  what: 'a comparison',
  members: { fact: text(), operator: text(), value: part() },
  refused: REFUSED,
};

const NAMED_USE = { what: 'the use of a condition', members: { condition: text() }, refused: REFUSED };

/** The condition of a rule, or one with a name; like json-rules-engine's, it begins with a combiner. */
export function readConditions(value: Located, context: ConditionContext): Condition | undefined {
  if (value.kind === 'map' && (value.entries.has('fact') || value.entries.has('condition'))) {
    return context.problems.report(
      'wrong_shape',
      value.place,
      'conditions must begin with all, any, at_least or not',
      'all',
    );
  }
  return readCondition(value, context);
}

function readCondition(value: Located, context: ConditionContext): Condition | undefined {
  const { problems } = context;
  if (value.kind !== 'map') return problems.report('wrong_shape', value.place, FORMS);
  const combiners = COMBINERS.filter((key) => value.entries.has(key));
  const plainKeys = PLAIN_KEYS.filter((key) => value.entries.has(key));
  const isNamed = plainKeys.includes('condition');
  // All keys of a comparison count as one form.
  const forms = new Set([...combiners, ...plainKeys.map((key) => key === 'condition')]);
  if (forms.size > 1) {
    const found = [...combiners, ...plainKeys].join(' and ');
    const message = `${found} stand side by side: the engine would read one only`;
    return problems.report('mixed_condition', value.place, message);
  }
  const [combiner] = combiners;
  const beside =
    combiner === 'at_least' ? (value.entries.get('of') ?? value.entries.get('count')) : undefined;
  if (beside) {
    const message = '"count" and "of" stand within: at_least: { count: 2, of: [ … ] }';
    return problems.report('wrong_shape', beside.keyPlace, message);
  }
  if (combiner !== undefined) {
    const shape = { what: 'a condition', members: { [combiner]: part() }, refused: REFUSED };
    const inner = openMap(value, shape, problems)?.values[combiner];
    return inner && combine(inner, combiner, context);
  }
  if (isNamed) return readNamedUse(value, context);
  if (plainKeys.length > 0) return readComparison(value, context);
  return reportNoCondition(value, context);
}

function combine(inner: Located, combiner: Combiner, context: ConditionContext): Condition | undefined {
  if (combiner === 'not') {
    const condition = readCondition(inner, context);
    return condition && { not: condition };
  }
  if (combiner === 'at_least') return readAtLeast(inner, context);
  const parts = readParts(inner, combiner, context);
  return parts && (combiner === 'all' ? { all: parts } : { any: parts });
}

const AT_LEAST = {
  what: '"at_least"',
  members: { count: integer(1, 100, 'How many of these must be true.'), of: part() },
};

function readAtLeast(value: Located, context: ConditionContext): Condition | undefined {
  const { problems } = context;
  const fields = openMap(value, AT_LEAST, problems);
  if (!fields) return undefined;
  const { count, of: list } = fields.values;
  const of = list && readParts(list, 'of', context);
  if (!of || count === undefined) return undefined;
  const place = fields.placeOf('count');
  if (count > of.length) {
    const message = `"count" is ${count}, and "of" has ${counted(of.length, 'condition')}: so many are never true`;
    return problems.report('out_of_range', place, message);
  }
  if (count === 1 || count === of.length) {
    const plain = count === 1 ? 'any' : 'all';
    problems.report('plain_count', place, `at least ${count} of ${of.length} is what "${plain}" says`);
  }
  const texts = of.map((condition) => unorderedText(toNegationNormalForm(condition)));
  const twice = of.filter((_, index) => texts.indexOf(texts[index] ?? '') < index);
  for (const condition of twice) {
    const at = comparisonsOf(condition)[0]?.place ?? value.place;
    problems.report('counted_twice', at, `"${describeCondition(condition)}" is counted twice: leave one out`);
  }
  return twice.length > 0 ? undefined : { at_least: { count, of } };
}

/** The conditions of a list; undefined where one of them is broken. */
function readParts(inner: Located, key: string, context: ConditionContext): readonly Condition[] | undefined {
  const { problems } = context;
  if (inner.kind !== 'list') {
    const message = `"${key}" must be a list of conditions, each with "- " at its front`;
    return problems.report('wrong_shape', inner.place, message);
  }
  if (inner.items.length === 0) {
    return problems.report('empty_condition', inner.place, `an empty "${key}" would always be true`);
  }
  const parts = inner.items.map((item) => readCondition(item, context));
  const sound = parts.filter((part) => part !== undefined);
  // A condition with a broken part is left out whole; its other parts have been judged all the same.
  return sound.length < parts.length ? undefined : sound;
}

function reportNoCondition({ entries, place }: LocatedMap, context: ConditionContext): undefined {
  const { problems } = context;
  const refusal = REFUSED.get([...entries.keys()].find((key) => REFUSED.has(key)) ?? '');
  if (refusal) return problems.report(refusal[0], place, refusal[1]);
  for (const [key, { keyPlace, value }] of entries) {
    const meant = meantBy(key, [...COMBINERS, ...PLAIN_KEYS], COMBINERS_ELSEWHERE);
    if (meant.length === 0) continue;
    problems.report('wrong_shape', keyPlace, FORMS, ...meant);
    const combiner = COMBINERS.find((own) => own === meant[1]);
    // The conditions within it are judged all the same.
    if (combiner) combine(value, combiner, context);
    return;
  }
  return problems.report('wrong_shape', place, FORMS);
}

function readNamedUse(value: LocatedMap, context: ConditionContext): NamedUse | undefined {
  const { kind, conditions, problems } = context;
  const fields = openMap(value, NAMED_USE, problems);
  const name = fields?.values.condition;
  if (!fields || name === undefined) return undefined;
  const place = fields.placeOf('condition');
  if (kind === 'level') {
    const message = `a level reads risk_score only, and the condition ${name} reads facts`;
    return problems.report('level_reads_fact', place, message);
  }
  const found = conditions.find(name, place, context);
  return found && { condition: name, means: found.conditions, place };
}

function readComparison(value: LocatedMap, context: ConditionContext): Comparison | undefined {
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
    // Without a known operator, judge a single value as for `equal`. Not open text: the value may be meant as a part of it.
    if (operand.kind === 'scalar' && !isOpenText(fact.type)) readOperand(operand, fact, 'equal', context);
    return undefined;
  }
  if (!fitsType(operator, fact.type)) {
    const fitting = operatorsFor(fact.type).join(', ');
    const message = `${operator} does not fit ${fact.id}, which is of type ${fact.type}: use ${fitting}`;
    return problems.report('operator_misfit', operatorPlace, message);
  }
  const right = readOperand(operand, fact, operator, context);
  return right === undefined ? undefined : { fact: fact.id, operator, value: right, place: factPlace };
}

/** The fact on the left, if rules of this kind may read it there. */
function findFact(
  id: string,
  place: Place,
  { facts, kind, problems }: ConditionContext,
): ReadableFact | undefined {
  const fact = facts.get(id);
  if (id.startsWith(THRESHOLD_PREFIX)) {
    problems.report('unknown_fact', place, 'a threshold stands on the right: value: { fact: threshold.… }');
  } else if (!fact) {
    const names = [...facts.keys()].filter((name) => !name.startsWith(THRESHOLD_PREFIX));
    problems.report('unknown_fact', place, `no provider answers a fact "${id}"`, ...meantBy(id, names));
  } else if (id === RISK_SCORE && kind !== 'level' && kind !== 'action') {
    const message =
      kind === 'named'
        ? 'a named condition reads facts only: compare risk_score in the level or action itself'
        : 'risk_score is not known before all points are counted: read it in levels and actions only';
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
    // For `not:equal` the opposite operator, which keeps unknown as unknown; undefined for other decorators.
    const [, inner = ''] = /^not:(.+)$/.exec(name) ?? [];
    const plain = isOperator(inner) ? OPERATORS[inner].opposite : undefined;
    return problems.report('decorator_refused', place, message, plain, plain);
  }
  const meant = meantBy(name, OPERATOR_NAMES, OPERATORS_ELSEWHERE);
  const all = meant.length === 0 ? `: there are ${OPERATOR_NAMES.join(', ')}` : '';
  return problems.report('unknown_operator', place, `there is no operator "${name}"${all}`, ...meant);
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
  in_list: ['inlist', 'list', 'listed', 'is_in_list'],
  not_in_list: ['notinlist', 'not_listed', 'is_not_in_list'],
  starts_with: ['startswith', 'begins_with', 'beginswith', 'prefix', 'has_prefix'],
  ends_with: ['endswith', 'suffix', 'has_suffix'],
  greaterThanInclusive: ['>=', '=>', 'gte', 'ge', 'greaterthanorequal', 'greaterthanorequalto'],
};
