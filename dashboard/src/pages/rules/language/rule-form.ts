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

/** A rule that adds points, as a form shows it. */
export interface RuleForm {
  readonly file: string;
  readonly id: string;
  readonly description: string;
  readonly owner: string;
  readonly mode: string;
  readonly points: string;
  /** Empty for a rule without an end. */
  readonly expires: string;
  readonly match: 'all' | 'any';
  /** Null where they are more than a list: what is nested is left to the text. */
  readonly comparisons: readonly Comparison[] | null;
}

/** What the text says of a rule; null where it has no such rule, or one that adds no points. */
export function readRule(files: RuleFiles, file: string, id: string): RuleForm | null {
  const item = findRule(files[file] ?? '', id);
  if (item === null || item.getIn(['event', 'type']) !== 'points') return null;
  const textAt = (key: string) => String(item.get(key) ?? '');
  const conditions = item.get('conditions');
  const match = isMap(conditions) && conditions.has('any') ? 'any' : 'all';
  return {
    ...{
      file,
      id,
      description: textAt('description'),
      owner: textAt('owner'),
      mode: textAt('mode') || 'live',
    },
    points: String(item.getIn(['event', 'params', 'points']) ?? ''),
    expires: textAt('expires'),
    match,
    comparisons: isMap(conditions) && conditions.items.length === 1 ? listOf(conditions.get(match)) : null,
  };
}

function listOf(list: unknown): readonly Comparison[] | null {
  if (!isSeq(list)) return null;
  const read = list.items.map((item) => (isMap(item) ? comparisonOf(item) : null));
  return read.every((one) => one !== null) ? read : null;
}

function comparisonOf(item: YAMLMap): Comparison | null {
  const keys = item.items.map(({ key }) => String(isScalar(key) ? key.value : key)).toSorted();
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
 * The file with the rule as the form has it, in place of `before`, or at the end where that is null. Of a rule that was there only
 * what the form has changed is written anew: its comments stay, as does all around it.
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
  if (form.expires === '') rule.delete('expires');
  else if (form.expires !== before.expires) rule.set('expires', form.expires);
  const isSame =
    JSON.stringify([form.match, form.comparisons]) === JSON.stringify([before.match, before.comparisons]);
  if (!isSame && form.comparisons !== null) rule.set('conditions', conditionsNode(rule, form, isText));
  const written = rule
    .toString(LAYOUT)
    .trimEnd()
    .replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);
  return text.slice(0, from) + written + text.slice(to - end);
}

/** Whether a fact is a word, whose values `true` and `20` are words too. */
export type IsText = (fact: string) => boolean;

/** As the shipped files are written. */
const LAYOUT = { lineWidth: 0 } as const;

function newRule(form: RuleForm, isText: IsText): string {
  const { id, description, owner, mode, expires, points } = form;
  const rule = new Document({ id, description, owner, mode, ...(expires !== '' && { expires }) });
  rule.set('conditions', conditionsNode(rule, form, isText));
  rule.set('event', rule.createNode({ type: 'points', params: { points: Number(points) } }, { flow: true }));
  return rule.toString(LAYOUT);
}

function conditionsNode(
  document: Pick<Document, 'createNode'>,
  { match, comparisons }: RuleForm,
  isText: IsText,
) {
  const list = new YAMLSeq();
  for (const { fact, operator, value } of comparisons ?? []) {
    list.add(document.createNode({ fact, operator, value: plainValue(value, isText(fact)) }, { flow: true }));
  }
  const conditions = new YAMLMap();
  conditions.set(match, list);
  return conditions;
}

function plainValue(value: Comparison['value'], isText: boolean): unknown {
  if (typeof value !== 'string') return [...value];
  if (value.startsWith('threshold.')) return { fact: value };
  if (isText) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return Number(value);
}

/** At the end of the file's list of rules, which is its last part. */
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
  if (form.expires !== before?.expires && !/^(\d{4}-\d{2}-\d{2})?$/.test(form.expires))
    faults.expires = 'Write a day like 2027-06-30, or nothing.';
  if (form.comparisons?.length === 0)
    faults.comparisons = 'Add a condition: a rule without one fires always.';
  for (const [place, { fact, operator, value }] of (form.comparisons ?? []).entries()) {
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
