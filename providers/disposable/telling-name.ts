/** How much a name tells: `certain` where only throw-away mail services call themselves so, else `ambiguous`. */
export type Certainty = 'certain' | 'ambiguous';

/** A name or a word beside one, as `data/names.yaml` has it. */
export interface TellingWord {
  readonly role: 'name' | 'beside';
  /** `numbered`: certain after a number other than 1, else ambiguous. */
  readonly certainty: Certainty | 'numbered';
  /** After how many characters a hyphen may cut the word. */
  readonly seams: ReadonlySet<number>;
}

/** The names of throw-away mail services and the words that they put beside a name, both without hyphens. */
export type TellingNames = ReadonlyMap<string, TellingWord>;

/** A name in a label, and how much the whole label tells by it. */
export interface NameFound {
  readonly name: string;
  readonly certainty: Certainty;
}

/** The lists of `data/names.yaml`. */
export type NameLists = Readonly<
  Record<'certain' | 'numbered' | 'ambiguous' | 'beside' | 'beside_ambiguous', readonly string[]>
>;

/** A line is a name word by word, with `|` between words that stand in the same place. */
export function readTellingNames(lists: NameLists): TellingNames {
  const names = new Map<string, TellingWord>();
  const add = (role: TellingWord['role'], certainty: TellingWord['certainty'], lines: readonly string[]) => {
    for (const words of lines.flatMap(everyChoice)) {
      const ends = words.map((_, index) => words.slice(0, index + 1).join('').length);
      names.set(words.join(''), { role, certainty, seams: new Set(ends) });
    }
  };
  add('beside', 'ambiguous', lists.beside_ambiguous);
  add('beside', 'certain', lists.beside);
  for (const certainty of ['ambiguous', 'numbered', 'certain'] as const) {
    add('name', certainty, [...lists[certainty], ...lists[certainty].flatMap(pluralOf)]);
  }
  return names;
}

/** `temp|fake mail` gives `temp mail` and `fake mail`, each as its words. */
function everyChoice(line: string): readonly (readonly string[])[] {
  return line
    .split(' ')
    .reduce<readonly (readonly string[])[]>(
      (begun, place) => begun.flatMap((words) => place.split('|').map((word) => [...words, word])),
      [[]],
    );
}

/** The plurals of a line that ends in `mail`. Others have none: `temps` in French is another word than `temp`. */
function pluralOf(line: string): readonly string[] {
  return everyChoice(line)
    .filter((words) => words.at(-1)?.endsWith('mail'))
    .map((words) => `${words.join(' ')}s`);
}

interface Reading {
  readonly name: string | undefined;
  readonly certainty: Certainty;
}

/**
 * The name in a domain's label, where the whole label consists of the name, words of services, digits and hyphens. A search for the letters
 * alone would be wrong: `mailtemp` is in `emailtemplates`. A hyphen divides words: `tempe-mail` is no `temp-email`.
 */
export function tellingName(label: string, names: TellingNames): NameFound | undefined {
  const parts = label.replaceAll(/(?<=^|-)e-(?=mail)/g, 'e').split('-');
  const text = parts.join('');
  const hyphens = new Set<number>();
  for (let part = 0, at = 0; part < parts.length - 1; part += 1) {
    at += parts[part]?.length ?? 0;
    hyphens.add(at);
  }
  // By position, how the text up to there reads: with a name and without one. Most labels have no reading beyond the first letter.
  const readings: Reading[][] = [[{ name: undefined, certainty: 'certain' }]];
  for (let start = 0; start < text.length; start += 1) {
    const before = readings[start];
    if (before === undefined) continue;
    if (isDigit(text, start)) for (const reading of before) keep(readings, start + 1, reading);
    for (let end = start + 1; end <= text.length; end += 1) {
      const piece = text.slice(start, end);
      const word = names.get(piece);
      if (word === undefined || isCutWrong(start, end, hyphens, word.seams)) continue;
      const isCertain =
        word.certainty === 'certain' || (word.certainty === 'numbered' && isNumbered(text, start));
      for (const { name, certainty } of before) {
        keep(readings, end, {
          name: word.role === 'name' ? (name ?? piece) : name,
          certainty: isCertain ? certainty : 'ambiguous',
        });
      }
    }
  }
  const found = (readings[text.length] ?? []).filter(({ name }) => name !== undefined);
  const { name, certainty } = found.find((reading) => reading.certainty === 'certain') ?? found[0] ?? {};
  return name === undefined || certainty === undefined ? undefined : { name, certainty };
}

/** Adds a reading, unless one of its sort is there: with or without a name, certain or ambiguous. */
function keep(readings: Reading[][], end: number, reading: Reading): void {
  const there = readings[end] ?? [];
  const isKnown = there.some(
    ({ name, certainty }) =>
      (name === undefined) === (reading.name === undefined) && certainty === reading.certainty,
  );
  if (!isKnown) readings[end] = [...there, reading];
}

function isCutWrong(
  start: number,
  end: number,
  hyphens: ReadonlySet<number>,
  seams: ReadonlySet<number>,
): boolean {
  for (const hyphen of hyphens) {
    if (hyphen > start && hyphen < end && !seams.has(hyphen - start)) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether a number other than 1 stands before the position: `20` before `minutemail`. */
function isNumbered(text: string, start: number): boolean {
  return /(?:[2-9]|\d\d)$/.test(text.slice(0, start));
}
