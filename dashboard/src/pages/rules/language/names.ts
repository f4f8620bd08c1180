import { isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';

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
  /** A date as it is written; null where it has no end. */
  readonly expires: string | null;
  /** Null where it adds none. */
  readonly points: number | null;
  /** Where its id stands in the text of the file. */
  readonly at: number;
}

/** What files declare and others name. */
export interface Names {
  readonly thresholds: readonly NamedThreshold[];
  readonly rules: readonly NamedRule[];
}

const cache = new Map<string, Names>();
const MOST_CACHED = 100;

/** What the files of a directory declare, as far as they can be read. */
export function namesIn(files: RuleFiles): Names {
  const found = Object.entries(files)
    .filter(([path]) => !path.startsWith('tests/'))
    .map(([path, text]) => namesOf(path, text));
  return {
    thresholds: found.flatMap(({ thresholds }) => thresholds),
    rules: found.flatMap(({ rules }) => rules),
  };
}

/** A text is read once, however often others change beside it. */
function namesOf(file: string, text: string): Names {
  const key = `${file}\n${text}`;
  const known = cache.get(key);
  if (known) return known;
  const names = readNames(file, text);
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, names);
  return names;
}

const LISTS = ['rules', 'forced', 'levels', 'actions'] as const;

function readNames(file: string, text: string): Names {
  const { contents } = parseDocument(text, { strict: false, uniqueKeys: false });
  if (!isMap(contents)) return { thresholds: [], rules: [] };
  const thresholds = contents.get('thresholds');
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
    rules: items.flatMap(([list, item]) => (isMap(item) && item.has('id') ? [ruleOf(item, list, file)] : [])),
  };
}

function ruleOf(item: YAMLMap, list: NamedRule['list'], file: string): NamedRule {
  const textAt = (key: string) => String(item.get(key) ?? '');
  const id = item.get('id', true);
  const points = item.getIn(['event', 'params', 'points']);
  return {
    id: textAt('id'),
    description: textAt('description'),
    file,
    list,
    mode: list === 'rules' || list === 'forced' ? textAt('mode') || 'live' : null,
    owner: textAt('owner'),
    expires: textAt('expires') || null,
    points: typeof points === 'number' ? points : null,
    at: (isScalar(id) ? id.range?.[0] : undefined) ?? item.range?.[0] ?? 0,
  };
}
