import type { RuleVersion } from '../../storage/rule-version-store.ts';

/** A word that several versions may be meant by. The message says which. */
export class AmbiguousVersion extends Error {
  override readonly name = 'AmbiguousVersion';
}

const NUMBER = /^v?(\d{1,9})$/;
const HASH = /^[0-9a-f]{4,16}$/;

/**
 * The version of that number, or the newest with that hash or one that begins so; undefined when there is none. Of a word that
 * is a number and the beginning of a hash, the number is meant. `list` is the whole history, the newest first.
 */
export function findVersion(list: readonly RuleVersion[], text: string): RuleVersion | undefined {
  const word = text.toLowerCase();
  const number = NUMBER.exec(word)?.[1];
  const byNumber = number && list.find(({ version }) => version === Number(number));
  if (byNumber) return byNumber;
  if (!HASH.test(word)) return undefined;
  const byHash = list.filter(({ hash }) => hash?.startsWith(word));
  const hashes = [...new Set(byHash.map(({ hash }) => hash))];
  if (hashes.length > 1)
    throw new AmbiguousVersion(`"${word}" is the beginning of several: ${hashes.join(', ')}`);
  return byHash[0];
}
