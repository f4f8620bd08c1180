/** Programs in countries that write 1,5 separate by semicolons; spreadsheets copy with tabs. */
const CANDIDATES = [',', ';', '\t'] as const;

/** The candidate that stands most often in the first line, outside of quotes; a comma when none does. */
export function guessDelimiter(firstLine: string): string {
  const outside = firstLine.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => outside.split(delimiter).length;
  return CANDIDATES.reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}
