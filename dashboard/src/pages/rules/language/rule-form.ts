import { Document, isMap, isScalar, isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml';
import { namesIn, type RuleFiles } from './names.ts';
import { findRule } from './rule-text.ts';

/** `{ fact, operator, value }`, as a form has it. */
export interface Comparison {
  readonly fact: string;
  readonly operator: string;
  /** As it is written: `true`, `20`, `threshold.busy`, a word, or several words. */
  readonly value: string | readonly string[];
}

/** `{ condition }`: one that has a name. */
export interface NamedUse {
  readonly condition: string;
}

/** A rule that adds points, as a form shows it. */
export interface RuleForm {
  readonly file: string;
  readonly id: string;
  readonly description: string;
  readonly owner: string;
  readonly mode: string;
  readonly points: string;
  /** The percentage of people for whom it counts; empty for everyone. */
  readonly percent: string;
  /** Determines which people these are; empty where the rule's id does. */
  readonly salt: string;
  /** Empty for a rule without a start date. */
  readonly starts: string;
  /** Empty for a rule without an end date. */
  readonly expires: string;
  readonly match: 'all' | 'any' | 'at_least';
  /** How many of them must hold, of `at_least`; else empty. */
  readonly count: string;
  /** Null where they are nested: these are edited in the text alone. */
  readonly comparisons: readonly (Comparison | NamedUse)[] | null;
}

/** What the text says of a rule; null where it has no such rule, or one that adds no points. */
export function readRule(files: RuleFiles, file: string, id: string): RuleForm | null {
  const item = findRule(files[file] ?? '', id);
  if (item === null || item.getIn(['event', 'type']) !== 'points') return null;
  const textAt = (key: string) => String(item.get(key) ?? '');
  const conditions = item.get('conditions');
  const match =
    (['any', 'at_least'] as const).find((word) => isMap(conditions) && conditions.has(word)) ?? 'all';
  const list = match === 'at_least' ? ['conditions', 'at_least', 'of'] : ['conditions', match];
  return {
    ...{
      file,
      id,
      description: textAt('description'),
      owner: textAt('owner'),
      mode: textAt('mode') || 'live',
    },
    points: String(item.getIn(['event', 'params', 'points']) ?? ''),
    percent: String(item.getIn(['rollout', 'percent']) ?? ''),
    salt: String(item.getIn(['rollout', 'salt']) ?? ''),
    starts: textAt('starts'),
    expires: textAt('expires'),
    match,
    count: match === 'at_least' ? String(item.getIn(['conditions', 'at_least', 'count']) ?? '') : '',
    comparisons: isMap(conditions) && conditions.items.length === 1 ? listOf(item.getIn(list)) : null,
  };
}

function listOf(list: unknown): RuleForm['comparisons'] {
  if (!isSeq(list)) return null;
  const read = list.items.map((item) => (isMap(item) ? comparisonOf(item) : null));
  return read.every((one) => one !== null) ? read : null;
}

function comparisonOf(item: YAMLMap): Comparison | NamedUse | null {
  const keys = item.items.map(({ key }) => String(isScalar(key) ? key.value : key)).toSorted();
  if (keys.join() === 'condition') return { condition: String(item.get('condition')) };
  if (keys.join() !== 'fact,operator,value') return null;
  const value = item.get('value', true);
  const threshold = item.getIn(['value', 'fact']);
  const words = isSeq(value) ? value.items.map((word) => String(isScalar(word) ? word.value : word)) : null;
  const written =
    words ?? (typeof threshold === 'string' ? threshold : isScalar(value) ? String(value.value) : null);
  if (written === null) return null;
  return { fact: String(item.get('fact')), operator: String(item.get('operator')), value: written };
}

/**
 * The file with the rule as the form has it, in place of `before`, or at the end where `before` is null. Of an existing rule only
 * the members that the form has changed are written anew: its comments and everything around it stay.
 */
export function writeRule(text: string, before: RuleForm | null, form: RuleForm, isText: IsText): string {
  if (before === null) return append(text, newRule(form, isText));
  const item = findRule(text, before.id);
  if (item?.range == null) return text;
  const [from, to] = item.range;
  const column = from - (text.lastIndexOf('\n', from - 1) + 1);
  const source = text.slice(from, to);
  const end = source.length - source.trimEnd().length;
  const rule = parseDocument(source.replaceAll(`\n${' '.repeat(column)}`, '\n'));
  for (const key of ['id', 'description', 'owner', 'mode'] as const) {
    if (form[key] !== before[key]) rule.set(key, form[key]);
  }
  if (form.points !== before.points) rule.setIn(['event', 'params', 'points'], Number(form.points));
  for (const key of ['starts', 'expires'] as const) {
    if (form[key] === '') rule.delete(key);
    else if (form[key] !== before[key]) rule.set(key, form[key]);
  }
  if (form.percent !== before.percent || form.salt !== before.salt) putRollout(rule, form);
  const isSame =
    JSON.stringify([form.match, form.count, form.comparisons]) ===
    JSON.stringify([before.match, before.count, before.comparisons]);
  if (!isSame && form.comparisons !== null) rule.set('conditions', conditionsNode(rule, form, isText));
  const written = rule
    .toString(LAYOUT)
    .trimEnd()
    .replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);
  return text.slice(0, from) + written + text.slice(to - end);
}

/** Whether the values of a fact are texts, so that `true` and `20` are texts too. */
export type IsText = (fact: string) => boolean;

/** As the shipped files are written. */
const LAYOUT = { lineWidth: 0 } as const;

function newRule(form: RuleForm, isText: IsText): string {
  const { id, description, owner, mode, starts, expires, points } = form;
  const dates = { ...(starts !== '' && { starts }), ...(expires !== '' && { expires }) };
  const rule = new Document({ id, description, owner, mode, ...dates });
  putRollout(rule, form);
  rule.set('conditions', conditionsNode(rule, form, isText));
  rule.set('event', rule.createNode({ type: 'points', params: { points: Number(points) } }, { flow: true }));
  return rule.toString(LAYOUT);
}

/** Writes or removes the rollout; a new one goes below `mode`. */
function putRollout(rule: Document, { percent, salt }: Pick<RuleForm, 'percent' | 'salt'>): void {
  if (percent === '') {
    rule.delete('rollout');
    return;
  }
  if (isMap(rule.get('rollout'))) {
    rule.setIn(['rollout', 'percent'], Number(percent));
    if (salt === '') rule.deleteIn(['rollout', 'salt']);
    else rule.setIn(['rollout', 'salt'], salt);
    return;
  }
  rule.delete('rollout');
  const value = { percent: Number(percent), ...(salt !== '' && { salt }) };
  const pair = rule.createPair('rollout', rule.createNode(value, { flow: true }));
  if (!isMap(rule.contents)) return;
  const place = rule.contents.items.findIndex(({ key }) => isScalar(key) && key.value === 'mode');
  rule.contents.items.splice(place + 1, 0, pair);
}

function conditionsNode(
  document: Pick<Document, 'createNode'>,
  { match, count, comparisons }: RuleForm,
  isText: IsText,
) {
  const list = new YAMLSeq();
  for (const one of comparisons ?? []) {
    const part = 'condition' in one ? one : { ...one, value: plainValue(one.value, isText(one.fact)) };
    list.add(document.createNode(part, { flow: true }));
  }
  const conditions = new YAMLMap();
  if (match === 'at_least') {
    const counting = new YAMLMap();
    counting.set('count', Number(count));
    counting.set('of', list);
    conditions.set(match, counting);
  } else conditions.set(match, list);
  return conditions;
}

function plainValue(value: Comparison['value'], isText: boolean): unknown {
  if (typeof value !== 'string') return [...value];
  if (value.startsWith('threshold.')) return { fact: value };
  if (isText) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return Number(value);
}

/** Adds a rule at the end of the file's list of rules, which is the last part of the file. */
function append(text: string, rule: string): string {
  const { contents } = parseDocument(text, { strict: false, uniqueKeys: false });
  const list = isMap(contents) ? contents.get('rules') : undefined;
  const last = isSeq(list) ? list.items.at(-1) : undefined;
  const column =
    isMap(last) && last.range ? last.range[0] - (text.lastIndexOf('\n', last.range[0] - 1) + 1) : 4;
  const entry = `${' '.repeat(column - 2)}- ${rule.trimEnd().replaceAll('\n', `\n${' '.repeat(column)}`)}\n`;
  if (isMap(last) && last.range) {
    const before = text.slice(0, last.range[1]).trimEnd();
    return `${before}\n\n${entry}${text.slice(before.length).replace(/^\n/, '')}`;
  }
  const head = text.replace(/^rules:[ \t]*(?:\[\s*\]|null)?[ \t]*$/m, 'rules:').trimEnd();
  return `${/^rules:/m.test(head) ? head : `${head}\n\nrules:`}\n${entry}`;
}

/** What is wrong, by field; `comparison 0` for the first line of the conditions. Empty where the rule can be written. */
export function faultsOf(
  form: RuleForm,
  before: RuleForm | null,
  files: RuleFiles,
  isText: IsText,
): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  const isTaken = form.id !== before?.id && namesIn(files).rules.some(({ id }) => id === form.id);
  if (!/^[a-z0-9_]+$/.test(form.id)) faults.id = 'Write lower-case letters, digits and _, like busy_domain.';
  else if (isTaken) faults.id = 'Another rule has this name.';
  if (form.description.trim() === '')
    faults.description = 'Write a sentence that a support agent can read out.';
  if (form.owner.trim() === '') faults.owner = 'Say whom to ask about it.';
  const points = Number(form.points);
  if (!/^-?\d+$/.test(form.points.trim()) || points === 0 || Math.abs(points) > 100)
    faults.points = 'Write a whole number from -100 to 100, and not 0.';
  Object.assign(faults, faultsOfRollout(form));
  for (const key of ['starts', 'expires'] as const) {
    if (form[key] !== before?.[key] && !/^(\d{4}-\d{2}-\d{2})?$/.test(form[key]))
      faults[key] = 'Write a day like 2027-06-30, or nothing.';
  }
  const most = form.comparisons?.length ?? Number.POSITIVE_INFINITY;
  if (form.match === 'at_least' && !(/^[1-9]\d*$/.test(form.count) && Number(form.count) <= most))
    faults.count = 'Write how many of them, from 1 to all.';
  if (form.comparisons?.length === 0)
    faults.comparisons = 'Add a condition: a rule without one fires always.';
  for (const [place, one] of (form.comparisons ?? []).entries()) {
    if ('condition' in one) {
      if (one.condition === '') faults[`comparison ${place}`] = 'Choose a condition by its name.';
      continue;
    }
    const { fact, operator, value } = one;
    if (fact === '' || operator === '' || value.length === 0)
      faults[`comparison ${place}`] = 'Choose a fact, how it is compared, and with what.';
    else if (
      typeof value === 'string' &&
      !isText(fact) &&
      !/^(true|false|threshold\.\w+|-?\d+(\.\d+)?)$/.test(value)
    )
      faults[`comparison ${place}`] = 'Compare it with a number, or with a threshold by its name.';
  }
  return faults;
}

/** In the words of lint. */
function faultsOfRollout({ percent, salt }: RuleForm): Readonly<Record<string, string>> {
  if (percent === '') return {};
  const fault = faultOfPercent(percent);
  return {
    ...(fault !== null && { percent: fault }),
    ...(!/^[a-z0-9_]*$/.test(salt) && { salt: `"${salt}" may hold only a-z, 0-9 and _` }),
  };
}

function faultOfPercent(percent: string): string | null {
  if (!/^-?\d+(\.\d+)?$/.test(percent)) return `"percent" must be a whole number, not "${percent}"`;
  const number = Number(percent);
  if (number === 0) return '"percent" is from 1 to 99: for 0 % use mode shadow to watch the rule';
  if (number === 100) return '"percent" is from 1 to 99: for 100 % leave "rollout" out';
  const isFit = Number.isInteger(number) && number >= 1 && number <= 99;
  return isFit ? null : `"percent" must be a whole number from 1 to 99, not ${number}`;
}
