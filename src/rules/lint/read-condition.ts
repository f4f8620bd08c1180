import { suggest } from '../../lib/did-you-mean.ts';
import { type Comparison, type Condition, RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import { isOperator, OPERATOR_NAMES, OPERATORS, type Operator } from '../operators.ts';
import type { ProblemList } from '../problem.ts';
import type { Located, LocatedMap } from '../yaml-document.ts';
import { openMap, type RefusedKeys, refusalOf } from './fields.ts';
import { readOperand } from './read-operand.ts';
import type { ConditionContext, ReadableFact } from './readable-facts.ts';

const COMBINERS = ['all', 'any', 'not'] as const;
const COMPARISON_KEYS = ['fact', 'operator', 'value'] as const;

/** What json-rules-engine reads from a condition and Postern does not. */
const REFUSED: RefusedKeys = {
  path: ['path_refused', 'facts are flat: name the fact itself, without a path'],
  params: ['engine_extra', 'facts take no params'],
  priority: ['engine_extra', 'all conditions are read, in no order: there is no priority'],
  name: ['engine_extra', 'a condition has no name: the rule has an id'],
  condition: ['engine_extra', 'conditions are written out where they are used, not referred to by name'],
};

/** The condition of a rule; like json-rules-engine's, it begins with all, any or not. */
export function readConditions(value: Located, context: ConditionContext): Condition | undefined {
  if (value.kind === 'map' && value.entries.has('fact')) {
    context.problems.report('wrong_shape', value.place, 'conditions must begin with all, any or not', 'all');
    return undefined;
  }
  return readCondition(value, context);
}

function readCondition(value: Located, context: ConditionContext): Condition | undefined {
  const { problems } = context;
  if (value.kind !== 'map') {
    problems.report(
      'wrong_shape',
      value.place,
      'a condition is { all }, { any }, { not } or { fact, operator, value }',
    );
    return undefined;
  }
  const combiners = COMBINERS.filter((key) => value.entries.has(key));
  const comparisonKeys = COMPARISON_KEYS.filter((key) => value.entries.has(key));
  if (combiners.length > 1 || (combiners.length === 1 && comparisonKeys.length > 0)) {
    const found = [...combiners, ...comparisonKeys].join(' and ');
    problems.report(
      'mixed_condition',
      value.place,
      `${found} stand side by side: the engine would read one only`,
    );
    return undefined;
  }
  const [combiner] = combiners;
  if (combiner !== undefined) return readCombination(value, combiner, context);
  if (comparisonKeys.length === 0) return reportNoCondition(value, problems);
  return readComparison(value, context);
}

function readCombination(
  value: LocatedMap,
  combiner: 'all' | 'any' | 'not',
  context: ConditionContext,
): Condition | undefined {
  const { problems } = context;
  const fields = openMap(value, { what: 'a condition', required: [combiner], refused: REFUSED }, problems);
  const inner = fields?.at(combiner);
  if (!inner) return undefined;
  if (combiner === 'not') {
    const condition = readCondition(inner, context);
    return condition && { not: condition };
  }
  if (inner.kind !== 'list') {
    problems.report('wrong_shape', inner.place, `"${combiner}" must be a list of conditions`);
    return undefined;
  }
  if (inner.items.length === 0) {
    problems.report('empty_condition', inner.place, `an empty "${combiner}" would always be true`);
    return undefined;
  }
  const parts = inner.items.map((item) => readCondition(item, context));
  const sound = parts.filter((part) => part !== undefined);
  // A condition with a broken part is left out whole; its other parts have been judged all the same.
  if (sound.length < parts.length) return undefined;
  return combiner === 'all' ? { all: sound } : { any: sound };
}

function reportNoCondition(value: LocatedMap, problems: ProblemList): undefined {
  const keys = [...value.entries.keys()];
  const refusal = keys.map((key) => refusalOf(key, REFUSED)).find((found) => found !== undefined);
  if (refusal) {
    problems.report(refusal[0], value.place, refusal[1]);
    return;
  }
  const message = 'a condition is { all }, { any }, { not } or { fact, operator, value }';
  for (const [key, { keyPlace }] of value.entries) {
    const hint = suggest(key, [...COMBINERS, ...COMPARISON_KEYS]);
    if (hint === undefined) continue;
    problems.report('wrong_shape', keyPlace, message, hint);
    return;
  }
  problems.report('wrong_shape', value.place, message);
}

function readComparison(value: LocatedMap, context: ConditionContext): Comparison | undefined {
  const { problems } = context;
  const shape = { what: 'a comparison', required: COMPARISON_KEYS, refused: REFUSED };
  const fields = openMap(value, shape, problems);
  const factName = fields?.text('fact');
  const operatorName = fields?.text('operator');
  const fact = fields && factName !== undefined ? findFact(factName, fields.at('fact'), context) : undefined;
  const operator =
    fields && operatorName !== undefined
      ? findOperator(operatorName, fields.at('operator'), problems)
      : undefined;
  const operand = fields?.at('value');
  if (fact && operand?.kind === 'scalar' && !operator) {
    // Whatever operator was meant: one word is compared with one value.
    readOperand(operand, fact, 'equal', context);
  }
  if (!fields || !fact || !operator || !operand) return undefined;

  if (!OPERATORS[operator].types.some((type) => type === fact.type)) {
    const fitting = OPERATOR_NAMES.filter((name) => OPERATORS[name].types.some((type) => type === fact.type));
    const message = `${operator} does not fit ${fact.id}, which is a ${fact.type}: use ${fitting.join(', ')}`;
    problems.report('operator_misfit', fields.placeOf('operator'), message);
    return undefined;
  }
  const right = readOperand(operand, fact, operator, context);
  return right === undefined
    ? undefined
    : { fact: fact.id, operator, value: right, place: fields.placeOf('fact') };
}

/** The fact on the left, if rules of this kind may read it there. */
function findFact(
  id: string,
  value: Located | undefined,
  context: ConditionContext,
): ReadableFact | undefined {
  const { facts, kind, problems } = context;
  if (!value) return undefined;
  const fact = facts.find(id);
  if (id.startsWith(THRESHOLD_PREFIX)) {
    problems.report(
      'unknown_fact',
      value.place,
      'a threshold stands on the right: value: { fact: threshold.… }',
    );
    return undefined;
  }
  if (!fact) {
    problems.report(
      'unknown_fact',
      value.place,
      `no provider answers a fact "${id}"`,
      suggest(id, facts.names()),
    );
    return undefined;
  }
  if (id === RISK_SCORE && (kind === 'points' || kind === 'force')) {
    const message =
      'risk_score is not known before all points are counted: read it in levels and actions only';
    problems.report('score_not_ready', value.place, message);
    return undefined;
  }
  if (id !== RISK_SCORE && kind === 'level') {
    problems.report('level_reads_fact', value.place, `a level reads risk_score only, not ${id}`);
    return undefined;
  }
  return fact;
}

function findOperator(name: string, value: Located | undefined, problems: ProblemList): Operator | undefined {
  if (isOperator(name)) return name;
  if (!value) return undefined;
  if (name.includes(':')) {
    const message = `operator decorators such as "${name}" are refused: they turn unknown into true; use { not } around the comparison`;
    problems.report('decorator_refused', value.place, message, withoutDecorator(name));
  } else {
    const near = suggestOperator(name);
    const all = near === undefined ? `: there are ${OPERATOR_NAMES.join(', ')}` : '';
    problems.report('unknown_operator', value.place, `there is no operator "${name}"${all}`, near);
  }
  return undefined;
}

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
function suggestOperator(name: string): string | undefined {
  const lower = name.toLowerCase();
  const alias = OPERATOR_NAMES.find((known) =>
    ELSEWHERE[known].some((other) => other.toLowerCase() === lower),
  );
  return alias ?? suggest(name, OPERATOR_NAMES);
}

/** What `not:equal` comes to where unknown stays unknown; undefined for other decorators. */
function withoutDecorator(name: string): string | undefined {
  const [, inner = ''] = /^not:(.+)$/.exec(name) ?? [];
  return isOperator(inner) ? OPERATORS[inner].opposite : undefined;
}
