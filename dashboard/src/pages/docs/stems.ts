/** Words of questions that say nothing about what is looked for. */
const STOP = new Set(
  'a an and are as at be by can do does for from get how i in is it its me my of on or our should that the their there this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

const ENDINGS = ['ations', 'ation', 'ings', 'ing', 'ions', 'ion', 'ies', 'ed', 'es', 'e', 's', 'y'];

/** Words without their endings: "rotate", "rotates" and "rotation" are one. */
export function stemsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)).map(stemOf));
}

function stemOf(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 3);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
