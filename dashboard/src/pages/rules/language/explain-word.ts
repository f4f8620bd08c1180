import type { Cursor } from './cursor.ts';
import { namesIn, type RuleFiles } from './names.ts';
import { isSchema, schemasAt } from './schema.ts';
import { type RuleLanguage, schemaNameOf } from './suggestions.ts';

export interface Explanation {
  readonly title: string;
  /** A few words: the type and its provider. */
  readonly note: string;
  readonly text: string;
}

/** What each operator of conditions does. */
export const OPERATORS: Readonly<Record<string, string>> = {
  equal: 'The fact is just this value.',
  notEqual: 'The fact is known, and another value.',
  in: 'The fact is one of these words.',
  notIn: 'The fact is known, and none of these words.',
  lessThan: 'The fact is below this number.',
  lessThanInclusive: 'The fact is this number or below.',
  greaterThan: 'The fact is above this number.',
  greaterThanInclusive: 'The fact is this number or above.',
  starts_with: 'The fact begins with this text.',
  not_starts_with: 'The fact is known, and begins otherwise.',
  ends_with: 'The fact ends with this text.',
  not_ends_with: 'The fact is known, and ends otherwise.',
  in_list: 'The domain stands in the list of this name, or below a suffix of it.',
  not_in_list: 'The domain is known, and stands nowhere in the list of this name.',
};

/** What stands under the pointer: a fact, an operator, a threshold, a named condition, a rule, or a key of the file. */
export function explainWord(
  word: string,
  cursor: Cursor | null,
  file: string,
  files: RuleFiles,
  language: RuleLanguage,
): Explanation | null {
  const fact = language.facts.find(({ id }) => id === word);
  if (fact) {
    const { type, values, provider, never_unknown, personal, disabled, description } = fact;
    const remarks = [
      values.length > 0 ? `one of ${values.join(', ')}` : type,
      `told by ${provider}`,
      ...(never_unknown ? ['never unknown'] : []),
      ...(personal ? ['quotes the address'] : []),
      ...(disabled ? ['its provider is switched off'] : []),
    ];
    return { title: word, note: remarks.join(' · '), text: description };
  }
  const operator = OPERATORS[word];
  if (operator !== undefined) return { title: word, note: 'operator', text: operator };
  const { thresholds, conditions, rules, lists } = namesIn(files);
  const threshold = thresholds.find(({ name }) => word === `threshold.${name}` || word === name);
  if (threshold) {
    const note = `threshold in ${threshold.file}, now ${String(threshold.value)}`;
    return { title: threshold.name, note, text: threshold.description };
  }
  const condition = conditions.find(({ name }) => name === word);
  if (condition) {
    const { name, description, means, file: where } = condition;
    return { title: name, note: `condition in ${where}: ${means}`, text: description };
  }
  const list = lists.find(({ name }) => name === word);
  if (list) return { title: list.name, note: `list in ${list.file}`, text: list.description };
  const rule = rules.find(({ id }) => id === word);
  if (rule) {
    const part = rule.percent === null ? '' : `, for ${rule.percent} % of people`;
    return { title: rule.id, note: `rule in ${rule.file}${part}`, text: rule.description };
  }
  return explainKey(word, cursor, file, language);
}

function explainKey(
  word: string,
  cursor: Cursor | null,
  file: string,
  { schemas }: RuleLanguage,
): Explanation | null {
  const root = schemas[schemaNameOf(file)];
  if (cursor?.at !== 'key' || root === undefined) return null;
  for (const { properties } of schemasAt(root, cursor.document, cursor.path)) {
    const schema = isSchema(properties) ? properties[word] : undefined;
    if (isSchema(schema) && typeof schema.description === 'string') {
      return { title: word, note: 'key', text: schema.description };
    }
  }
  return null;
}
