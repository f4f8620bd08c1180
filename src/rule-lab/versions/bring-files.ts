import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleAnnouncement, RuleVersionStore } from '../../storage/rule-version-store.ts';
import { RulesNotWritten, writeRuleFiles } from './write-rule-files.ts';

export interface Bringing extends Pick<RuleAnnouncement, 'author' | 'restores'> {
  readonly dir: string;
  /** What lies there now. */
  readonly before: RuleFiles;
  readonly after: RuleFiles;
}

/** Nobody may write there, and nothing was written. Whoever may, can apply what differs as a patch. */
export class RulesReadOnly extends RulesNotWritten {
  readonly before: RuleFiles;
  readonly after: RuleFiles;

  constructor(message: string, before: RuleFiles, after: RuleFiles) {
    super(message, true);
    this.before = before;
    this.after = after;
  }
}

/** Writes files into a rules directory, and has the version that comes of them bear its author's name. Throws RulesReadOnly or RulesNotWritten. */
export async function bringFiles(
  versions: Pick<RuleVersionStore, 'last' | 'announce' | 'withdraw'>,
  { dir, before, after, author, restores }: Bringing,
): Promise<void> {
  const digest = digestOf(after);
  // What is in force makes no new version, which would use the announcement up.
  if (versions.last()?.digest !== digest) await versions.announce({ digest, author, restores });
  try {
    await writeRuleFiles(dir, before, after);
  } catch (error) {
    // Whoever brings these files later is somebody else.
    await versions.withdraw(digest);
    const isReadOnly = error instanceof RulesNotWritten && error.isReadOnly;
    throw isReadOnly ? new RulesReadOnly(error.message, before, after) : error;
  }
}
