import { isHeldBack } from './held-back.ts';
import type { Language } from './languages.ts';
import { personal } from './people.ts';
import { weightedChoice } from './weighted-choice.ts';

/** What the census is trained with; the other languages share the rest. */
const CENSUS_SHARE = 0.18;
/** A short list is a language too: each counts as if it had so many names more, under the root. */
const SMALLEST_WEIGHT = 16;
/**
 * Either vowels and consonants take turns in them as in generated local parts, and only seeing many of their names tells
 * the two apart; or their list is short for what is peculiar in it. For the others the size of the list says enough.
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

/** Draws local parts to train on, without any name or word that is held back. */
export function drawerOf(
  languages: readonly Language[],
  words: readonly string[],
  random: () => number,
): () => string {
  const isTrainedOn = (letters: string) => !isHeldBack(letters);
  const groups = languages.map((language) => {
    const given = language.given.filter(isTrainedOn);
    const family = language.family.filter(isTrainedOn);
    // Where there is no list of the one kind, the other stands in.
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
