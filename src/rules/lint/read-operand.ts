import { suggest } from '../../lib/did-you-mean.ts';
import { type Operand, RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import { isKnownValueOf } from '../described-facts.ts';
import type { Operator } from '../operators.ts';
import { asScalar, type Place } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import type { ReadableFact, RuleContext } from './context.ts';
import { openMap } from './fields.ts';

/** json-rules-engine clones an inline list on every run, and a longer one belongs into a provider's data. */
export const LONGEST_INLINE_LIST = 20;

/** What json-rules-engine reads beside `fact` and Postern does not. */
export const REFUSED_OF_FACT = {
  path: ['path_refused', 'facts are flat: name the fact itself, without a path'],
  params: ['engine_extra', 'facts take no params'],
} as const;

/** The right side of a comparison, if it fits the fact on the left. */
export function readOperand(
  value: Located,
  fact: ReadableFact,
  operator: Operator,
  context: RuleContext,
): Operand | undefined {
  if (operator === 'in' || operator === 'notIn') return readWords(value, fact, operator, context);
  if (value.kind === 'map') return readReference(value, fact, context);
  if (value.kind === 'scalar' && isKnownValueOf(fact, value.value)) return value.value;
  reportMisfit(value, fact, context);
  return undefined;
}

function reportMisfit(value: Located, fact: ReadableFact, { problems }: RuleContext): void {
  const word = value.kind === 'scalar' ? value.value : undefined;
  if (fact.type === 'string') {
    const { values = [] } = fact;
    const hint = typeof word === 'string' ? suggest(word, values) : undefined;
    problems.report('value_misfit', value.place, `${fact.id} is one of ${values.join(', ')}`, hint);
    return;
  }
  const expected = { boolean: 'true or false', integer: 'a whole number', number: 'a number' }[fact.type];
  const shown = value.kind === 'scalar' ? JSON.stringify(word) : `a ${value.kind}`;
  const message = `${fact.id} is compared with ${expected}, not with ${shown}`;
  problems.report('value_misfit', value.place, message, undefined, unquoted(word, fact));
}

/** What to write where a boolean or number stands in quotes, or a boolean as in YAML of old. */
function unquoted(word: unknown, { type }: ReadableFact): string | undefined {
  if (typeof word !== 'string') return undefined;
  const text = word.trim().toLowerCase();
  if (type === 'boolean') {
    if (['true', 'yes', 'on'].includes(text)) return 'true';
    return ['false', 'no', 'off'].includes(text) ? 'false' : undefined;
  }
  return (type === 'integer' ? /^-?\d{1,9}$/ : /^-?\d{1,9}(\.\d+)?$/).test(text) ? text : undefined;
}

function readWords(
  value: Located,
  fact: ReadableFact,
  operator: Operator,
  context: RuleContext,
): readonly string[] | undefined {
  const { problems } = context;
  if (value.kind !== 'list') {
    const isWord = value.kind === 'scalar' && isKnownValueOf(fact, value.value);
    const list = isWord ? `[${asScalar(String(value.value))}]` : undefined;
    problems.report('value_misfit', value.place, `"${operator}" takes a list of values`, undefined, list);
    return undefined;
  }
  const count = value.items.length;
  if (count === 0) {
    const message = `an empty list makes "${operator}" the same for every address`;
    problems.report('empty_condition', value.place, message);
    return undefined;
  }
  if (count > LONGEST_INLINE_LIST) {
    const message = `${count} values: more than ${LONGEST_INLINE_LIST} belong into a provider's data`;
    problems.report('long_list', value.place, message);
    return undefined;
  }
  const words: string[] = [];
  for (const item of value.items) {
    if (item.kind === 'scalar' && typeof item.value === 'string' && isKnownValueOf(fact, item.value)) {
      if (words.includes(item.value)) {
        problems.report('duplicate_value', item.place, `"${item.value}" stands in this list twice`);
      }
      words.push(item.value);
    } else {
      reportMisfit(item, fact, context);
    }
  }
  return words.length === count ? words : undefined;
}

/** `{ fact: <id> }`, a threshold or another fact. */
function readReference(
  value: Located,
  fact: ReadableFact,
  context: RuleContext,
): { readonly fact: string } | undefined {
  const { facts, kind, problems } = context;
  const shape = { what: 'a reference to a fact', required: ['fact'], refused: REFUSED_OF_FACT };
  const fields = openMap(value, shape, problems);
  const id = fields?.text('fact');
  if (!fields || id === undefined) return undefined;
  const place = fields.placeOf('fact');
  const other = facts.get(id);
  if (!other) {
    reportUnknownReference(id, place, context);
    return undefined;
  }
  if (id === RISK_SCORE) {
    // On the right, a growing score could make a comparison false.
    const code = kind === 'points' || kind === 'force' ? 'score_not_ready' : 'falls_with_score';
    problems.report(code, place, 'risk_score stands on the left of a comparison only');
    return undefined;
  }
  if (fact.id === RISK_SCORE && !isThreshold(id)) {
    const code = kind === 'level' ? 'level_reads_fact' : 'value_misfit';
    problems.report(code, place, `risk_score is compared with a number or a threshold, not with ${id}`);
    return undefined;
  }
  if (!areComparable(fact, other)) {
    const message = `${fact.id} (${fact.type}) cannot be compared with ${id} (${other.type})`;
    problems.report('value_misfit', place, message);
    return undefined;
  }
  return { fact: id };
}

function isThreshold(id: string): boolean {
  return id.startsWith(THRESHOLD_PREFIX);
}

function areComparable(fact: ReadableFact, other: ReadableFact): boolean {
  // A whole-numbered fact never equals 2.5; with another fact the types may meet by chance.
  if (isThreshold(other.id) && fact.type === 'integer') return other.type === 'integer';
  const isNumeric = ({ type }: ReadableFact) => type === 'integer' || type === 'number';
  if (isNumeric(fact)) return isNumeric(other);
  if (fact.type !== other.type) return false;
  return fact.type !== 'string' || !!fact.values?.some((word) => other.values?.includes(word));
}

function reportUnknownReference(
  id: string,
  place: Place,
  { facts, thresholds, problems }: RuleContext,
): void {
  if (isThreshold(id)) {
    if (!thresholds.isComplete) return;
    const hint = suggest(id, [...facts.keys()].filter(isThreshold));
    problems.report('unknown_threshold', place, `no file declares "${id}"`, hint);
  } else {
    problems.report('unknown_fact', place, `no provider answers a fact "${id}"`, suggest(id, facts.keys()));
  }
}
