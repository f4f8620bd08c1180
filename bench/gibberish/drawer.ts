import { isHeldBack } from './held-back.ts';
import type { Language } from './languages.ts';
import { personal } from './people.ts';
import { weightedChoice } from './weighted-choice.ts';

/** Share of the census in the training; the other languages share the rest. */
const CENSUS_SHARE = 0.18;
/** Added to the square root of each list's size, so that a language with a short list still counts. */
const SMALLEST_WEIGHT = 16;
/**
 * Factors for languages that the size of the list weighs too low: their vowels and consonants alternate as in generated local
 * parts, so the model needs many of their names; or their list is short for its peculiar spellings.
 */
const EMPHASIS: Readonly<Record<string, number>> = {
  Amharic: 2,
  Ghanaian: 2.5,
  Indonesian: 2,
  Japanese: 3,
  Kazakh: 2,
  Mongolian: 2,
  Nigerian: 4,
  Senegalese: 1.5,
  Swahili: 3,
  Turkish: 1.5,
  Uzbek: 1.5,
  Yoruba: 4,
  Zulu: 2.5,
};

/** Draws local parts for the training, without names or words that are held back. */
export function drawerOf(
  languages: readonly Language[],
  words: readonly string[],
  random: () => number,
): () => string {
  const isTrainedOn = (letters: string) => !isHeldBack(letters);
  const groups = languages.map((language) => {
    const given = language.given.filter(isTrainedOn);
    const family = language.family.filter(isTrainedOn);
    // Where one of the two lists is empty, the other replaces it.
    const names = { given: given.length > 0 ? given : family, family: family.length > 0 ? family : given };
    const size = Math.sqrt(language.given.length + language.family.length) + SMALLEST_WEIGHT;
    return { names, weight: size * (EMPHASIS[language.language] ?? 1) };
  });
  const [census, ...others] = groups;
  if (census === undefined) throw new Error('there are no names');
  const anyOther = weightedChoice(others);
  const trainedWords = words.filter(isTrainedOn);
  return () => {
    const { names } = random() < CENSUS_SHARE ? census : anyOther(random);
    return personal(names, trainedWords, random);
  };
}
