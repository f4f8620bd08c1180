/** NIST SP 800-63B-4, 3.1.1.2, where a password is all there is: 15, or 8 beside another factor; OWASP's 12 lies between. */
export const SHORTEST_PASSWORD = 12;
/** At least 64 (ibid.); a longer password would only cost hashing time. */
export const LONGEST_PASSWORD = 128;

/** Characters that must be left once the known parts, and the digits and signs around them, are removed. */
const FEWEST_OWN_CHARACTERS = 8;
const FEWEST_DIFFERENT_CHARACTERS = 5;

/** Frequent parts of leaked passwords of this length (ibid. asks for a blocklist, and against rules of composition). */
const GUESSED_FIRST = `
  postern password passwort passw0rd p@ssw0rd letmein welcome administrator admin qwertyuiop qwerty
  qwertz asdfghjkl zxcvbnm 1q2w3e4r5t6y 1q2w3e4r abcdefghijkl abcdef iloveyou changeme secret master
  dragon monkey sunshine princess football baseball 1234567890 0123456789 9876543210 123456 654321
  trustno1 superman starwars default gmail hotmail outlook yahoo icloud
`
  .trim()
  .split(/\s+/);

/** After the person's own name, this makes their address at another provider: `ann.lee@gmail.com`. */
const MAIL_DOMAIN = /@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;

/** Within a word, known parts count only from this length on, together and each: "ann" also stands in "planning". */
const SHORTEST_WITHIN_WORD = 4;
const SHORTEST_PART_WITHIN_WORD = 3;

/** Why a password is refused, as a sentence; undefined where it is allowed. */
export function weaknessOf(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`;
  if (password.length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`;
  const text = folded(password);
  const own = [...partsOf(email), ...partsOf(name)];
  const known = [...new Set([...own, ...own.map((part) => [...part].reverse().join('')), ...GUESSED_FIRST])];
  // `a.n.n.l.e.e` is guessed with `annlee`.
  const forms = [text, text.replace(/[^\p{L}\p{N}]/gu, ''), text.replace(MAIL_DOMAIN, '@')];
  const isGuessed = forms.some((one) => isMadeOf(known, one));
  if (isGuessed || isMonotonous(password)) {
    return 'This is one of the first that would be guessed: take several words that have nothing to do with each other.';
  }
  return undefined;
}

function isMadeOf(known: readonly string[], text: string): boolean {
  const left = withoutKnown(text, known);
  // Digits and signs around a known word are guessed with it, unless they would do as a password by themselves.
  const own = left.filter((rest) => /\p{L}/u.test(rest) || rest.length >= SHORTEST_PASSWORD).join('');
  return left.length > 1 && ([...own].length < FEWEST_OWN_CHARACTERS || isMonotonous(own));
}

/** Without case, accents and other forms of the same letters: José is guessed as jose too. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').toLowerCase();
}

function isMonotonous(text: string): boolean {
  return new Set(text).size < FEWEST_DIFFERENT_CHARACTERS;
}

/** For `ann.lee2@example.org`: the whole, both sides of the `@`, and each run of letters or of four or more digits. */
function partsOf(text: string): string[] {
  const whole = folded(text);
  return [whole, ...whole.split('@'), ...(whole.match(/\p{L}+|\p{N}{4,}/gu) ?? [])].filter(
    (part) => part !== '',
  );
}

/** The text without known parts: parts that fill a run of letters, joined or not; long parts anywhere; two at its ends (`annandlee`). */
function withoutKnown(text: string, parts: readonly string[]): string[] {
  const long = parts.filter((part) => part.length >= SHORTEST_PART_WITHIN_WORD);
  const isLetter = (at: number) => /\p{L}/u.test(text.charAt(at));
  const endsOfLong = farthestEnds(text, long, () => true);
  const endsOfAny = farthestEnds(text, parts, (end) => !isLetter(end));
  const isKnown = new Set<number>();
  let knownUntil = 0;
  for (let at = 0; at < text.length; at += 1) {
    const [ofLong = at, ofAny = at] = [endsOfLong[at], endsOfAny[at]];
    if (ofLong - at >= SHORTEST_WITHIN_WORD) knownUntil = Math.max(knownUntil, ofLong);
    if (!isLetter(at - 1)) knownUntil = Math.max(knownUntil, ofAny);
    if (at < knownUntil) isKnown.add(at);
  }
  for (const { 0: run, index } of text.matchAll(/\p{L}+/gu)) {
    const first = longestOf(long.filter((part) => run.startsWith(part)));
    const last = longestOf(long.filter((part) => run.endsWith(part)));
    if (first === 0 || last === 0 || first + last > run.length) continue;
    for (let at = 0; at < run.length; at += 1)
      if (at < first || at >= run.length - last) isKnown.add(index + at);
  }
  return text
    .split('')
    .map((unit, at) => (isKnown.has(at) ? '\n' : unit))
    .join('')
    .split(/\n+/);
}

function longestOf(parts: readonly string[]): number {
  return Math.max(0, ...parts.map((part) => part.length));
}

/**
 * For each position the farthest one where a sequence of parts that begins there can end, of those that `mayEnd` allows; -1 where there is
 * none. From the end backwards: following each sequence by itself would block the process for a second.
 */
function farthestEnds(text: string, parts: readonly string[], mayEnd: (at: number) => boolean) {
  const ends: number[] = [];
  for (let at = text.length; at >= 0; at -= 1) {
    const begun = parts.filter((part) => text.startsWith(part, at));
    ends[at] = Math.max(mayEnd(at) ? at : -1, ...begun.map(({ length }) => ends[at + length] ?? -1));
  }
  return ends;
}
