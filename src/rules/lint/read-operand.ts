import { domainToASCII } from 'node:url';
import type { FactValue } from '../../provider-kit/index.ts';
import { EXPECTED, fits, fitsAtEnd } from '../../signals/read-answer.ts';
import { LIST_PREFIX, type Operand, RISK_SCORE, THRESHOLD_PREFIX } from '../definitions.ts';
import type { Operator } from '../operators.ts';
import { asScalar, type Meant, meantBy, missingComma, type Place, type ProblemList } from '../problem.ts';
import { isOpenText } from '../telling-values.ts';
import { describeFound, type Located } from '../yaml-document.ts';
import type { ConditionContext, ReadableFact, ReadableFacts } from './context.ts';
import { notThis, numberIn, openMap, type RefusedKeys, text } from './fields.ts';
import { TLD, whyUnseen } from './unseen-domain.ts';

/** Which end of a text the operator looks at. */
const ENDS: Partial<Record<Operator, 'start' | 'end'>> = {
  starts_with: 'start',
  not_starts_with: 'start',
  ends_with: 'end',
  not_ends_with: 'end',
};

/** json-rules-engine clones an inline list on every run, and a longer one belongs into a provider's data. */
export const LONGEST_INLINE_LIST = 20;

/** Keys that json-rules-engine reads beside `fact`, and Postern refuses. */
export const REFUSED_OF_FACT: RefusedKeys = new Map([
  ['path', ['path_refused', 'facts are flat: name the fact itself, without a path']],
  ['params', ['engine_extra', 'facts take no params']],
]);

/** Whether the value is a pattern (`*.x.org`, `(com|org)$`) or `@x.org`: no domain of an address has these signs, so it would never match. */
function hasForeignSign(value: FactValue, { type }: ReadableFact): boolean {
  return type === 'domain' && /[*?@^$|()+\\]/.test(String(value));
}

/** The right side of a comparison, if it fits the fact on the left. */
export function readOperand(
  value: Located,
  fact: ReadableFact,
  operator: Operator,
  context: ConditionContext,
): Operand | undefined {
  if (operator === 'in' || operator === 'notIn') return readWords(value, fact, operator, context);
  if (operator === 'in_list' || operator === 'not_in_list') return readListName(value, operator, context);
  const end = ENDS[operator];
  if (end !== undefined) return readEnd(value, fact, operator, end, context);
  if (value.kind === 'map') return readReference(value, fact, context);
  if (!isComparedWith(value.value, fact, context)) return reportMisfit(value, fact, context);
  warnUnseen(value, fact, context);
  return value.value;
}

/** Warns of a domain that the fact never has: its addresses count as those of another domain, or it is not a registrable domain. */
function warnUnseen({ value, place }: Located, { id }: ReadableFact, { problems }: ConditionContext) {
  const unseen = typeof value === 'string' ? whyUnseen(value, [id]) : undefined;
  if (!unseen) return undefined;
  const { because, instead } = unseen;
  if (because === 'several_labels') return warnSeveralLabels(String(value), place, problems);
  const why =
    because === 'counts_as_another'
      ? `an address at ${value} counts as one at ${instead}`
      : `nobody registers "${value}" itself`;
  return problems.report(
    'value_never_fits',
    place,
    `${why}: ${id} is never "${value}"`,
    instead ?? undefined,
  );
}

function warnSeveralLabels(value: string, place: Place, problems: ProblemList): undefined {
  const name = value.replace(/^\.|\.$/g, '');
  const instead = name.includes('.') ? `address.domain ends with ".${name}" below it` : `it equals "${name}"`;
  const message = `${TLD} is the last label alone, without a dot, and never "${value}": ${instead}`;
  return problems.report('value_never_fits', place, message);
}

function readListName(
  value: Located,
  operator: Operator,
  { lists, problems }: ConditionContext,
): { readonly fact: string } | undefined {
  const name = value.value;
  if (typeof name !== 'string') {
    const message = `"${operator}" takes the name of a list: that of its file in lists/`;
    return problems.report('value_misfit', value.place, message);
  }
  if (lists.get(name)) return { fact: `${LIST_PREFIX}${name}` };
  return lists.reportMissing('unknown_list', name, value.place);
}

function readEnd(
  value: Located,
  fact: ReadableFact,
  operator: Operator,
  end: 'start' | 'end',
  context: ConditionContext,
): string | undefined {
  const { problems } = context;
  const { value: text, place } = value;
  if (value.kind === 'map') {
    return problems.report('value_misfit', place, `"${operator}" takes a text, not another fact`);
  }
  if (!fitsAtEnd(text, fact.type, end) || hasForeignSign(text, fact)) {
    return reportMisfit(value, fact, context, end);
  }
  if (fact.id === TLD && text.includes('.')) warnSeveralLabels(text, place, problems);
  // An end without a dot in front matches within a label: `ru` is the end of `shop.guru` too.
  else if (end === 'end' && fact.type === 'domain' && /^[a-z\d]/i.test(text)) {
    const isTld = fact.id === TLD;
    const instead = isTld
      ? '"equal" compares the whole'
      : `".${text}" is what lies below ${text}, and a named list with the entry .${text} has ${text} itself as well`;
    const message = `"${operator}" looks within a label: not${text} ends so too; ${instead}`;
    problems.report('ends_within_label', place, message, isTld ? undefined : `.${text}`);
  }
  return text;
}

/** Whether the fact can have the value. For open text, false where it is a list or the id of a comparable fact: it is hardly meant as text. */
function isComparedWith(value: unknown, fact: ReadableFact, context: ConditionContext): value is FactValue {
  if (!fits(value, fact) || hasForeignSign(value, fact) || namesList(value, fact, context)) return false;
  const other = isOpenText(fact.type) ? context.facts.get(String(value)) : undefined;
  return other === undefined || !areComparable(fact, other);
}

/** False for a top-level domain: a list may have the name of one. */
function namesList(value: unknown, { id, type }: ReadableFact, { lists }: ConditionContext): boolean {
  return type === 'domain' && id !== TLD && lists.get(String(value)) !== undefined;
}

function reportMisfit(
  value: Located,
  fact: ReadableFact,
  context: ConditionContext,
  end?: 'start' | 'end',
): undefined {
  const { facts, problems } = context;
  const word = value.value;
  if (namesList(word, fact, context)) {
    const message = `"${word}" is a list: in_list and not_in_list take its name`;
    return problems.report('value_misfit', value.place, message);
  }
  const [named, isCertain] = typeof word === 'string' ? factNamed(word, fact, facts) : [];
  if (named !== undefined) {
    const reference = `{ fact: ${named} }`;
    const message = `"${word}" is text here: a fact or threshold is written ${reference}`;
    const fix = isCertain ? reference : undefined;
    return problems.report('value_misfit', value.place, message, reference, fix);
  }
  const message =
    fact.type === 'string'
      ? `${fact.id} is one of ${fact.values?.join(', ')}${missingComma(word, (part) => fits(part, fact)) || notThis(value)}`
      : `${fact.id} is compared with ${EXPECTED[fact.type]}, not with ${describeFound(value)}`;
  return problems.report('value_misfit', value.place, message, ...meantValue(word, fact, end));
}

/** The comparable fact or threshold that a text names, also with a wrong or missing prefix; certain only where the text is its id. */
function factNamed(
  word: string,
  fact: ReadableFact,
  facts: ReadableFacts,
): readonly [id?: string | undefined, isCertain?: boolean] {
  const ids = [...facts.values()]
    .filter((other) => other.id !== RISK_SCORE && areComparable(fact, other))
    .map(({ id }) => id);
  if (ids.includes(word)) return [word, true];
  const name = word.replace(/^(facts?|signals)\./, '');
  const own = ids.find((id) => id === name || id === `${THRESHOLD_PREFIX}${name}`);
  return own === undefined && word.includes('.') ? [meantBy(name, ids)[0], false] : [own, false];
}

/** The word that was meant; a replacement for a boolean or number in quotes, and for a boolean as in old YAML (`yes`, `off`). */
export function meantValue(
  word: unknown,
  { id, type, values = [] }: ReadableFact,
  end?: 'start' | 'end',
): Meant {
  if (type === 'text' && (typeof word === 'number' || typeof word === 'boolean')) {
    return [undefined, JSON.stringify(String(word))];
  }
  if (typeof word !== 'string') return [];
  if (type === 'string') return meantBy(word, values);
  if (type === 'domain') return meantDomain(word, id, end);
  if (type === 'text') return [];
  if (type !== 'boolean') return [undefined, numberIn(word, type === 'integer')];
  const text = word.trim().toLowerCase();
  if (['true', 'yes', 'on'].includes(text)) return [undefined, 'true'];
  return [undefined, ['false', 'no', 'off'].includes(text) ? 'false' : undefined];
}

/** The domain as facts have it: in lower case, as A-labels, without `*` in front or a dot at the end; a last label without a dot. */
function meantDomain(word: string, id: string, end?: 'start' | 'end'): Meant {
  const [, dot = '', name = ''] = /^(?:\*(?=\.))?(\.?)(.*)$/s.exec(word.trim()) ?? [];
  const meant = `${id === TLD ? '' : dot}${domainToASCII(name.replace(/\.$/, ''))}`;
  // `co.uk` would be accepted in its place, and would never be true.
  if (id === TLD && meant.includes('.')) return [];
  const isOne = end === undefined ? fits(meant, { type: 'domain' }) : fitsAtEnd(meant, 'domain', end);
  return isOne && meant !== word ? [meant, asScalar(meant)] : [];
}

function readWords(
  value: Located,
  fact: ReadableFact,
  operator: Operator,
  context: ConditionContext,
): readonly string[] | undefined {
  const { problems } = context;
  if (value.kind !== 'list') {
    if (namesList(value.value, fact, context)) return reportMisfit(value, fact, context);
    const list = fits(value.value, fact) ? `[${asScalar(String(value.value))}]` : undefined;
    const message = `"${operator}" takes a list of values`;
    return problems.report('value_misfit', value.place, message, undefined, list);
  }
  const count = value.items.length;
  if (count === 0) {
    const message = `an empty list makes "${operator}" the same for every address`;
    return problems.report('empty_condition', value.place, message);
  }
  if (count > LONGEST_INLINE_LIST) {
    const where = fact.type === 'domain' ? 'a named list' : "a provider's data";
    const message = `${count} values: more than ${LONGEST_INLINE_LIST} belong into ${where}`;
    return problems.report('long_list', value.place, message);
  }
  const words: string[] = [];
  for (const item of value.items) {
    if (typeof item.value === 'string' && isComparedWith(item.value, fact, context)) {
      if (words.includes(item.value)) {
        problems.report('duplicate_value', item.place, `"${item.value}" stands in this list twice`);
      }
      warnUnseen(item, fact, context);
      words.push(item.value);
    } else {
      reportMisfit(item, fact, context);
    }
  }
  return words.length === count ? words : undefined;
}

const REFERENCE = { what: 'a reference to a fact', members: { fact: text() }, refused: REFUSED_OF_FACT };

/** `{ fact: <id> }`, a threshold or another fact. */
function readReference(
  value: Located,
  fact: ReadableFact,
  context: ConditionContext,
): { readonly fact: string } | undefined {
  const { facts, kind, problems } = context;
  const threshold = value.kind === 'map' ? value.entries.get('threshold') : undefined;
  if (threshold) {
    const message = 'a threshold is written { fact: threshold.… }';
    return problems.report('unknown_key', threshold.keyPlace, message);
  }
  const fields = openMap(value, REFERENCE, problems);
  const id = fields?.values.fact;
  if (!fields || id === undefined) return undefined;
  const place = fields.placeOf('fact');
  const other = facts.get(id);
  if (!other) return reportUnknownReference(id, place, context);
  if (id === RISK_SCORE) {
    // On the right, a growing score could make a comparison false.
    const code = kind === 'level' || kind === 'action' ? 'falls_with_score' : 'score_not_ready';
    return problems.report(code, place, 'risk_score stands on the left of a comparison only');
  }
  if (fact.id === RISK_SCORE && !isThreshold(id)) {
    const code = kind === 'level' ? 'level_reads_fact' : 'value_misfit';
    const message = `risk_score is compared with a number or a threshold, not with ${id}`;
    return problems.report(code, place, message);
  }
  if (!areComparable(fact, other)) {
    const message = `${fact.id} (${fact.type}) cannot be compared with ${id} (${other.type})`;
    return problems.report('value_misfit', place, message);
  }
  return { fact: id };
}

function isThreshold(id: string): boolean {
  return id.startsWith(THRESHOLD_PREFIX);
}

/** Whether `fact` on the left may be compared with `other` on the right. */
export function areComparable(fact: ReadableFact, other: ReadableFact): boolean {
  // A whole-numbered fact never equals a threshold of 2.5; two facts may be equal by chance, whatever their types.
  if (isThreshold(other.id) && fact.type === 'integer') return other.type === 'integer';
  const isNumeric = ({ type }: ReadableFact) => type === 'integer' || type === 'number';
  if (isNumeric(fact)) return isNumeric(other);
  if (fact.type !== other.type) return false;
  // Where two closed lists share no word, the comparison always has the same result.
  return fact.type !== 'string' || !!fact.values?.some((word) => other.values?.includes(word));
}

function reportUnknownReference(
  id: string,
  place: Place,
  { facts, thresholds, problems }: ConditionContext,
): undefined {
  if (!isThreshold(id)) {
    const message = `no provider answers a fact "${id}"`;
    return problems.report('unknown_fact', place, message, ...meantBy(id, facts.keys()));
  }
  if (!thresholds.isComplete) return;
  const meant = meantBy(id, [...facts.keys()].filter(isThreshold));
  return problems.report('unknown_threshold', place, `no file declares "${id}"`, ...meant);
}
