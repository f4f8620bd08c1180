import { LONGEST_NAME, WORDS_PATTERN } from '../../lib/text.ts';

const WORDS = new RegExp(WORDS_PATTERN, 'u');

/** What keeps people from reading a name, or from finding by it what bears it. `bearer` is "an account" or "a key". */
export function nameFault(name: string, bearer: string): string | undefined {
  if (name.trim() === '') return `${bearer} needs a name`;
  if (name !== name.trim()) return 'a name neither begins nor ends with a blank';
  if (!WORDS.test(name)) return 'a name is on one line, of characters that can be seen';
  if ([...name].length > LONGEST_NAME) return `a name has at most ${LONGEST_NAME} characters`;
  return undefined;
}
