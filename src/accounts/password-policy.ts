/** NIST SP 800-63B-4, 3.1.1.2, where a password is all there is: 15, or 8 beside another factor; OWASP's 12 lies between. */
export const SHORTEST_PASSWORD = 12;
/** At least 64 (ibid.); what is longer only makes the hash work. */
export const LONGEST_PASSWORD = 128;

/** Characters that must be left once everything that guessing begins with is taken away. */
const FEWEST_OWN_CHARACTERS = 8;
const FEWEST_DIFFERENT_CHARACTERS = 5;

/** Parts of the leaked passwords of this length (ibid. asks for a blocklist, and for no rules of composition). */
const GUESSED_FIRST = [
  'postern',
  'password',
  'passwort',
  'passw0rd',
  'p@ssw0rd',
  'letmein',
  'welcome',
  'administrator',
  'admin',
  'qwertyuiop',
  'qwerty',
  'qwertz',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y',
  '1q2w3e4r',
  'abcdefghijkl',
  'abcdef',
  'iloveyou',
  'changeme',
  'secret',
  'master',
  'dragon',
  'monkey',
  'sunshine',
  'princess',
  'football',
  'baseball',
  '1234567890',
  '0123456789',
  '9876543210',
  '123456',
  '654321',
  'trustno1',
  'superman',
  'starwars',
  'default',
];

/** Why a password is too easy to guess, as a sentence; undefined where it will do. */
export function weaknessOf(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `A password has at least ${SHORTEST_PASSWORD} characters.`;
  if (password.length > LONGEST_PASSWORD) return `A password has at most ${LONGEST_PASSWORD} characters.`;
  const known = [...email.split(/[^\p{L}\p{N}]+/u), ...name.split(/\s+/), ...GUESSED_FIRST];
  let own = password.toLowerCase();
  for (const word of known.map((each) => each.toLowerCase()).sort((a, b) => b.length - a.length)) {
    if (word.length >= 4) own = own.replaceAll(word, '');
  }
  const isGuessed = [...own].length < FEWEST_OWN_CHARACTERS && own.length < password.length;
  if (isGuessed || new Set(password).size < FEWEST_DIFFERENT_CHARACTERS) {
    return 'This is one of the first that would be guessed: take several words that have nothing to do with each other.';
  }
  return undefined;
}
