import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { describeCondition } from './describe-condition.ts';

export type RuleFiles = Readonly<Record<string, string>>;

export interface NamedThreshold {
  readonly name: string;
  readonly value: unknown;
  readonly description: string;
  readonly file: string;
}

export interface NamedRule {
  readonly id: string;
  readonly description: string;
  readonly file: string;
  /** Which list of the file it is in. */
  readonly list: 'rules' | 'forced' | 'levels' | 'actions';
  /** `live` where nothing is said; null in lists whose rules have no mode. */
  readonly mode: string | null;
  readonly owner: string;
  /** The start date as it is written; null without one. */
  readonly starts: string | null;
  /** The end date as it is written; null without one. */
  readonly expires: string | null;
  /** Null for a rule without points. */
  readonly points: number | null;
  /** The percentage of people for whom it counts once it is live; null for everyone. */
  readonly percent: number | null;
  /** Where its id stands in the text of the file. */
  readonly at: number;
}

/** A condition that rules share. */
export interface NamedCondition {
  readonly name: string;
  readonly description: string;
  /** The condition in a line. */
  readonly means: string;
  readonly file: string;
}

export interface NamedList {
  readonly name: string;
  /** Empty in a .txt file. */
  readonly description: string;
  readonly file: string;
}

/** Names that files declare, and others refer to. */
export interface Names {
  readonly lists: readonly NamedList[];
  readonly thresholds: readonly NamedThreshold[];
  readonly conditions: readonly NamedCondition[];
  readonly rules: readonly NamedRule[];
}

type Declared = Omit<Names, 'lists'>;

const cache = new Map<string, Declared>();
const MOST_CACHED = 100;

/** What the files of a directory declare, as far as they can be read. */
export function namesIn(files: RuleFiles): Names {
  const found = Object.entries(files)
    .filter(([path]) => !path.startsWith('tests/') && !path.startsWith('lists/'))
    .map(([path, text]) => namesOf(path, text));
  return {
    lists: Object.entries(files).flatMap(([path, text]) => listOf(path, text)),
    thresholds: found.flatMap(({ thresholds }) => thresholds),
    conditions: found.flatMap(({ conditions }) => conditions),
    rules: found.flatMap(({ rules }) => rules),
  };
}

/** A list is searched, not parsed: it may have 100,000 lines. */
function listOf(file: string, text: string): readonly NamedList[] {
  const [, name, ending] = /^lists\/(.*)\.(yaml|txt)$/.exec(file) ?? [];
  if (name === undefined) return [];
  const [, description = ''] = (ending === 'yaml' && /^description:[ \t]*(.*)$/m.exec(text)) || [];
  return [{ name, description: description.replace(/^(["'])(.*)\1$/, '$2'), file }];
}

/** Caches by file and text: a change of one file parses no other one again. */
function namesOf(file: string, text: string): Declared {
  const key = `${file}\n${text}`;
  const known = cache.get(key);
  if (known) return known;
  const names = readNames(file, text);
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, names);
  return names;
}

const LISTS = ['rules', 'forced', 'levels', 'actions'] as const;

function readNames(file: string, text: string): Declared {
  const { contents } = parseDocument(text, { strict: false, uniqueKeys: false });
  if (!isMap(contents)) return { thresholds: [], conditions: [], rules: [] };
  const thresholds = contents.get('thresholds');
  const conditions = contents.get('conditions');
  const items = LISTS.flatMap((list) => {
    const rules = contents.get(list);
    return isSeq(rules) ? rules.items.map((item) => [list, item] as const) : [];
  });
  return {
    thresholds: isMap(thresholds)
      ? thresholds.items.flatMap(({ key, value }) =>
          isScalar(key)
            ? [
                {
                  name: String(key.value),
                  value: isMap(value) ? value.get('value') : undefined,
                  description: isMap(value) ? String(value.get('description') ?? '') : '',
                  file,
                },
              ]
            : [],
        )
      : [],
    conditions: isMap(conditions)
      ? conditions.items.flatMap(({ key, value }) =>
          isScalar(key) ? [conditionOf(String(key.value), value, file)] : [],
        )
      : [],
    rules: items.flatMap(([list, item]) => (isMap(item) && item.has('id') ? [ruleOf(item, list, file)] : [])),
  };
}

function conditionOf(name: string, value: unknown, file: string): NamedCondition {
  const description = isMap(value) ? String(value.get('description') ?? '') : '';
  const written = isMap(value) ? value.get('conditions') : undefined;
  return { name, description, means: describeCondition(isMap(written) ? written.toJSON() : null), file };
}

function ruleOf(item: YAMLMap, list: NamedRule['list'], file: string): NamedRule {
  const textAt = (key: string) => String(item.get(key) ?? '');
  const id = item.get('id', true);
  const points = item.getIn(['event', 'params', 'points']);
  const percent = list === 'rules' ? item.getIn(['rollout', 'percent']) : null;
  return {
    id: textAt('id'),
    description: textAt('description'),
    file,
    list,
    mode: list === 'rules' || list === 'forced' ? textAt('mode') || 'live' : null,
    owner: textAt('owner'),
    starts: textAt('starts') || null,
    expires: textAt('expires') || null,
    points: typeof points === 'number' ? points : null,
    percent: typeof percent === 'number' ? percent : null,
    at: (isScalar(id) ? id.range?.[0] : undefined) ?? item.range?.[0] ?? 0,
  };
}
