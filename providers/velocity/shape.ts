/** The shape of a local part with more words than these is its length alone. */
const MOST_WORDS = 4;

const SEPARATOR = /([._+-])/;
const YEAR = /^(?:19\d\d|20[0-2]\d)$/;

/**
 * The shape of a canonical local part, word by word between its separators: `a` for letters, however many, `4` for four
 * digits, `y` for four that are a year of 1900 to 2029, `~9` for nine characters in which letters and digits change more
 * than once. `jane.doe4821` is `a.a4`, `jane1987` is `ay`, `x7k2m9` is `~6`. A local part of more than four words is `~`
 * and its length. No letter or digit of the text is in the shape.
 */
export function shapeOf(localPart: string): string {
  const pieces = localPart.split(SEPARATOR);
  const words = pieces.filter((piece) => piece !== '' && !SEPARATOR.test(piece));
  if (words.length > MOST_WORDS) return `~${localPart.length}`;
  return pieces.map((piece) => (SEPARATOR.test(piece) ? piece : shapeOfWord(piece))).join('');
}

function shapeOfWord(word: string): string {
  const runs = word.match(/[0-9]+|[^0-9]+/g) ?? [];
  if (runs.length > 2) return `~${word.length}`;
  return runs.map((run) => (/^[0-9]/.test(run) ? shapeOfDigits(run) : 'a')).join('');
}

function shapeOfDigits(digits: string): string {
  return YEAR.test(digits) ? 'y' : String(digits.length);
}
