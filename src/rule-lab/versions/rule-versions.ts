import { changesBetween, type FileChange } from '../../rules/compare-files.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleVersion, RuleVersionStore } from '../../storage/rule-ports.ts';

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

/** A version with its files, and those of the one that was in force before it. */
export interface OpenedVersion extends RuleVersion {
  readonly files: RuleFiles;
  /** None where there was none. */
  readonly filesBefore: RuleFiles;
  readonly changes: readonly FileChange[];
  readonly isInForce: boolean;
}

/** `list` is the whole history, the newest first. */
export async function openVersion(
  versions: RuleVersionStore,
  list: readonly RuleVersion[],
  version: RuleVersion,
): Promise<OpenedVersion> {
  const before = list.find((other) => other.version < version.version && other.reason !== 'draft');
  const [files = {}, filesBefore = {}] = await Promise.all([
    versions.filesOf(version.version),
    before ? versions.filesOf(before.version) : {},
  ]);
  const changes = changesBetween(filesBefore, files);
  const isInForce = version.version === (await versions.last())?.version;
  return { ...version, files, filesBefore, changes, isInForce };
}

/** The names that leave the process. */
export function presentVersion(opened: OpenedVersion) {
  const { version, hash: ruleset, digest, at, author, reason, restores, changes } = opened;
  return { version, ruleset, digest, at, author, reason, restores, in_force: opened.isInForce, changes };
}

/** `rollback to 3`, `change`. */
export function describeReason({ reason, restores }: RuleVersion): string {
  return restores === null ? reason : `${reason} to ${restores}`;
}
