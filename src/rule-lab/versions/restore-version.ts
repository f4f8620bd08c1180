import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { StartupError } from '../../errors.ts';
import { compareKeys } from '../../lib/text.ts';
import { changesBetween, type FileChange } from '../../rules/compare-files.ts';
import {
  digestOf,
  filesOf,
  type RuleFiles,
  type RuleSources,
  readRuleSources,
} from '../../rules/rule-files.ts';
import type { RuleVersion, RuleVersionStore } from '../../storage/rule-ports.ts';
import { bringFiles } from './write-rule-files.ts';

interface ReadRules {
  readonly files: RuleFiles;
  readonly sources: RuleSources;
  readonly digest: string;
}

/** What lies in the rules directory, or why it cannot be read. */
type RulesOnDisk = ReadRules | { readonly files: null; readonly faults: readonly string[] };

export async function readRulesOnDisk(dir: string): Promise<RulesOnDisk> {
  try {
    const sources = await readRuleSources(dir);
    const files = filesOf(sources);
    return { files, sources, digest: digestOf(files) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { files: null, faults: error.faults };
  }
}

/** Whether this process may put files there. */
export async function isWritable(dir: string): Promise<boolean> {
  return access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Whether the service would take rules. */
export interface AssessedRules {
  /** Why not, one sentence each; none when it would. */
  readonly faults: readonly string[];
  /** Null where lint has found an error. */
  readonly hash: string | null;
}

interface RestoringTools {
  readonly dir: string;
  readonly versions: RuleVersionStore;
  readonly assess: (files: RuleFiles) => Promise<AssessedRules>;
  /** ISO 8601, UTC. */
  readonly now: () => string;
}

interface Restoring {
  readonly author: string;
  /** Leaves allow.yaml and deny.yaml as they lie there. */
  readonly keepLists: boolean;
}

export type Restored =
  /** What lies in the directory cannot be read, so it could not be kept; nothing is written. */
  | { readonly is: 'unreadable'; readonly faults: readonly string[] }
  /** The version would be refused now; nothing is written. */
  | { readonly is: 'refused'; readonly faults: readonly string[] }
  | {
      readonly is: 'done';
      /** None where the directory held that version already. */
      readonly changes: readonly FileChange[];
      readonly digest: string;
      /** The version as which was saved what lay there and had never been in force. */
      readonly draft: number | null;
    };

const LISTS = ['allow.yaml', 'deny.yaml'];

/** Writes the files of a version back into the rules directory. Throws RulesNotWritten. */
export async function restoreVersion(
  { version }: RuleVersion,
  { author, keepLists }: Restoring,
  { dir, versions, assess, now }: RestoringTools,
): Promise<Restored> {
  const disk = await readRulesOnDisk(dir);
  if (!disk.files) return { is: 'unreadable', faults: disk.faults };
  const stored = (await versions.filesOf(version)) ?? {};
  const files = keepLists ? withListsOf(stored, disk.files) : stored;
  // Before anything is written: providers may have changed since, and an entry may have lost its meaning.
  const { faults } = await assess(files);
  if (faults.length > 0) return { is: 'refused', faults };

  const changes = changesBetween(disk.files, files);
  const digest = digestOf(files);
  if (changes.length === 0) return { is: 'done', changes, digest, draft: null };
  let draft: number | null = null;
  if (!(await isKept(versions, disk.digest))) {
    const { hash } = await assess(disk.files);
    const kept = {
      hash,
      digest: disk.digest,
      reason: 'draft',
      at: now(),
      author: null,
      restores: null,
    } as const;
    draft = (await versions.add(kept, disk.files)).version;
  }
  await bringFiles(versions, { dir, before: disk.files, after: files, author, restores: version });
  return { is: 'done', changes, digest, draft };
}

/** Lists change from day to day for reasons that rules know nothing of. */
function withListsOf(files: RuleFiles, disk: RuleFiles): RuleFiles {
  const rest = Object.entries(files).filter(([path]) => !LISTS.includes(path));
  const kept = Object.entries(disk).filter(([path]) => LISTS.includes(path));
  return Object.fromEntries([...rest, ...kept].sort(compareKeys));
}

async function isKept(versions: RuleVersionStore, digest: string): Promise<boolean> {
  return (await versions.list()).some((version) => version.digest === digest);
}
