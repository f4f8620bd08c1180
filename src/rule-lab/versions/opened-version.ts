import { changesBetween, type FileChange } from '../../rules/compare-files.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleVersion, RuleVersionStore } from '../../storage/rule-version-store.ts';

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
  const isInForce = version.version === versions.last()?.version;
  return { ...version, files, filesBefore, changes, isInForce };
}

/** The names that leave the process. */
export function presentVersion({
  version,
  hash,
  digest,
  reason,
  at,
  author,
  restores,
  ...opened
}: OpenedVersion) {
  return {
    version,
    ruleset: hash,
    digest,
    at,
    author,
    reason,
    restores,
    in_force: opened.isInForce,
    changes: opened.changes,
  };
}

/** `rollback to 3`, `change`. */
export function describeReason({ reason, restores }: RuleVersion): string {
  return restores === null ? reason : `${reason} to ${restores}`;
}
