import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { namesIn, type RuleFiles } from './names.ts';

/** A word in a text, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly end_column: number;
}

/** Where the id of a rule stands; null where no file has such a rule. */
export function placeOfRule(
  files: RuleFiles,
  id: string,
): { readonly file: string; readonly place: TextPlace } | null {
  const rule = namesIn(files).rules.find((one) => one.id === id);
  if (rule === undefined) return null;
  const before = (files[rule.file] ?? '').slice(0, rule.at);
  const column = before.length - before.lastIndexOf('\n');
  const line = before.split('\n').length;
  return { file: rule.file, place: { line, column, end_column: column + id.length } };
}

/** The file with another mode of a rule; all else of it stays, comments too. Null where it has no such rule. */
export function withMode(text: string, id: string, mode: 'live' | 'shadow' | 'off'): string | null {
  const item = findRule(text, id);
  if (item === null) return null;
  const now = item.get('mode', true);
  if (isScalar(now) && now.range) return splice(text, now.range[0], now.range[1], mode);
  const name = item.get('id', true);
  const end = (isScalar(name) ? name.range?.[1] : undefined) ?? item.range?.[0] ?? 0;
  if (item.flow) return splice(text, end, end, `, mode: ${mode}`);
  const lineStart = text.lastIndexOf('\n', end - 1) + 1;
  // Aligned with the key `id`, which may follow a dash.
  const indent = text.slice(lineStart).search(/id\b/);
  const lineEnd = text.indexOf('\n', end);
  const at = lineEnd === -1 ? text.length : lineEnd;
  return splice(text, at, at, `\n${' '.repeat(indent)}mode: ${mode}`);
}

export function findRule(text: string, id: string): YAMLMap | null {
  const { contents } = parseDocument(text, { strict: false, uniqueKeys: false });
  if (!isMap(contents)) return null;
  const items = ['rules', 'forced'].flatMap((list) => {
    const rules = contents.get(list);
    return isSeq(rules) ? rules.items : [];
  });
  const found = items.find((item) => isMap(item) && String(item.get('id')) === id);
  return isMap(found) ? found : null;
}

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}
