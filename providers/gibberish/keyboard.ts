/** The rows of a QWERTY keyboard; on others most of these neighbours are neighbours too. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** By ASCII code: row and place as one number, rows far apart; 0 where there is no such key. */
const KEYS = new Uint8Array(0x80);
for (const [row, keys] of ROWS.entries()) {
  for (const [place, key] of [...keys].entries()) {
    KEYS[key.charCodeAt(0)] = row * 16 + place + 1;
    KEYS[key.toUpperCase().charCodeAt(0)] = row * 16 + place + 1;
  }
}

/** Whether the key of one letter lies right beside that of the other, on the same row. ASCII codes. */
export function isNextKey(first: number, second: number): boolean {
  const apart = (KEYS[first] ?? 0) - (KEYS[second] ?? 0);
  return apart === 1 || apart === -1;
}
