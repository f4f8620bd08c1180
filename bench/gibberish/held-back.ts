/**
 * Whether a name or word is kept out of the training: every fifth, by the hash of its letters (FNV-1a), in every list. The
 * model is judged by held-back names and words alone.
 */
export function isHeldBack(letters: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < letters.length; at++) hash = Math.imul(hash ^ letters.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % 5 === 0;
}
