import type { RuleVersion, RuleVersionStore } from '../../storage/ports.ts';
import { CannotRun } from '../cannot-run.ts';
import type { Shell } from '../shell.ts';

const NUMBER = /^v?(\d{1,9})$/;
const HASH = /^[0-9a-f]{4,16}$/;

/** Says that there is none, and lets the command end with 1. */
export async function findVersion(
  shell: Shell,
  versions: RuleVersionStore,
  word: string,
): Promise<RuleVersion | undefined> {
  const found = choose(await versions.list(), word.toLowerCase());
  if (found) return found;
  shell.note(`there is no version "${word}"`);
  shell.exitCode = 1;
  return undefined;
}

/** The newest with that hash. Of a word that is a number and the beginning of a hash, the number is meant. */
function choose(list: readonly RuleVersion[], word: string): RuleVersion | undefined {
  const number = NUMBER.exec(word)?.[1];
  const byNumber = number && list.find(({ version }) => version === Number(number));
  if (byNumber) return byNumber;
  if (!HASH.test(word)) return undefined;
  const byHash = list.filter(({ hash }) => hash?.startsWith(word));
  const hashes = [...new Set(byHash.map(({ hash }) => hash))];
  if (hashes.length > 1) throw new CannotRun(`"${word}" is the beginning of several: ${hashes.join(', ')}`);
  return byHash[0];
}
