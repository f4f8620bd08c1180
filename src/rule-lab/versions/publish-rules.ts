import type { RuleSource } from '../../checks/rule-source.ts';
import { RulesNotWritten } from '../../checks/rule-source.ts';
import { compareKeys } from '../../lib/text.ts';
import { changesBetween, type FileChange } from '../../rules/compare-files.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleAnnouncement, RuleVersion, RuleVersionStore } from '../../storage/rule-ports.ts';

interface Publication extends Pick<RuleAnnouncement, 'author' | 'restores'> {
  /** What is published now. */
  readonly before: RuleFiles;
  readonly after: RuleFiles;
}

/** This process may not write there, and nothing was written. What differs can be applied as a patch by a person who may. */
export class RulesReadOnly extends RulesNotWritten {
  override readonly name = 'RulesReadOnly';
  readonly before: RuleFiles;
  readonly after: RuleFiles;

  constructor(message: string, before: RuleFiles, after: RuleFiles) {
    super(message, true);
    this.before = before;
    this.after = after;
  }
}

/** Publishes files, and has the version that comes of them bear its author's name. Throws RulesReadOnly or RulesNotWritten. */
export async function publishRules(
  source: Pick<RuleSource, 'publish'>,
  versions: Pick<RuleVersionStore, 'last' | 'announce' | 'withdraw'>,
  { before, after, author, restores }: Publication,
): Promise<void> {
  const digest = digestOf(after);
  // What is in force makes no new version, which would use the announcement up.
  if ((await versions.last())?.digest !== digest) await versions.announce({ digest, author, restores });
  try {
    await source.publish(before, after);
  } catch (error) {
    // Another person may publish these files later.
    await versions.withdraw(digest);
    const isReadOnly = error instanceof RulesNotWritten && error.isReadOnly;
    throw isReadOnly ? new RulesReadOnly(error.message, before, after) : error;
  }
}

/** Whether the service would take rules. */
export interface AssessedRules {
  /** Why not, one sentence each; none when it would. */
  readonly faults: readonly string[];
  /** Null where lint has found an error. */
  readonly hash: string | null;
}

interface RestoringTools {
  readonly source: RuleSource;
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

/** Publishes the files of a version again. Throws RulesNotWritten. */
export async function restoreVersion(
  { version }: RuleVersion,
  { author, keepLists }: Restoring,
  { source, versions, assess, now }: RestoringTools,
): Promise<Restored> {
  const disk = await source.read();
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
  await publishRules(source, versions, { before: disk.files, after: files, author, restores: version });
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
