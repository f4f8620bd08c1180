/** The service's limits (src/accounts/password-policy.ts). NIST SP 800-63B-4, 3.1.1.2, asks for 15 where a password is all there is. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;
const COMFORTABLE_PASSWORD = 16;

/** Length is what makes a password hold; no rules on its characters. */
export function passwordHint(password: string): string {
  const { length } = password;
  if (length === 0) return `At least ${SHORTEST_PASSWORD} characters; a few words make a good one.`;
  const missing = SHORTEST_PASSWORD - length;
  if (missing > 0) return `${missing} more ${missing === 1 ? 'character' : 'characters'}.`;
  return length < COMFORTABLE_PASSWORD ? 'Long enough. Longer is better.' : 'A good length.';
}
