import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

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

function readNames(file: string, text: string): Names {
  const { contents } = parseDocument(text, { strict: false, uniqueKeys: false });
  if (!isMap(contents)) return { thresholds: [], rules: [] };
  const thresholds = contents.get('thresholds');
  const lists = ['rules', 'forced', 'levels', 'actions'].map((key) => contents.get(key));
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
    rules: lists.flatMap((list) =>
      isSeq(list)
        ? list.items.flatMap((item) =>
            isMap(item) && item.has('id')
              ? [{ id: String(item.get('id')), description: String(item.get('description') ?? ''), file }]
              : [],
          )
        : [],
    ),
  };
}
