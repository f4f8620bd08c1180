const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/u;
/** A year or a number behind a name is a word of its own. */
const NUMBER_BEHIND = /(?<=[\p{L}\p{M}])(?=\d{1,4}$)/u;
const WORD = /^(?:[\p{L}\p{M}]+|\d+)$/u;

/**
 * The texts whose entropy is measured: each word, where the text consists of words of letters and of numbers (`maria.fernanda.de.la.cruz85`),
 * for a person with five names is no program; else the whole text, such as a UUID. `typed` is the text before a provider's dots were taken out.
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
