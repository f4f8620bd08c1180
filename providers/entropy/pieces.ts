const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/** A year or a number behind a name is a word of its own. */
const NUMBER_BEHIND = /(?<=[\p{L}\p{M}])(?=\d{1,4}$)/u;
const WORD = /^(?:[\p{L}\p{M}]+|\d+)$/u;

/**
 * What entropy is measured of: each word, where the text is words of letters and numbers (`maria.fernanda.de.la.cruz85`), for a person with
 * five names is no program; else the whole, as of a UUID. `typed` is the same before a provider took dots out of it.
 */
export function piecesOf(text: string, typed: string = text): readonly [string, ...string[]] {
  const [parts, typedParts] = [partsOf(text), partsOf(typed)];
  const words = typedParts.join('') === parts.join('') ? typedParts : parts;
  const [first, ...others] = words.flatMap((word) => word.split(NUMBER_BEHIND));
  const isWords = first !== undefined && [first, ...others].every((piece) => WORD.test(piece));
  return isWords ? [first, ...others] : [text];
}

function partsOf(text: string): readonly string[] {
  return text.split(SEPARATORS).filter((part) => part !== '');
}
