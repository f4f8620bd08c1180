/** The signs that make a formula, their full-width twins that some spreadsheets take too, and control characters. */
const RISKY = /^[=+\-@＝＋－＠\p{Cc}]/u;

/** A cell that a spreadsheet would run stays text: https://owasp.org/www-community/attacks/CSV_Injection */
export function guardCell(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}
