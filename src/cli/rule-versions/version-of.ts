import { AmbiguousVersion, findVersion } from '../../rule-lab/versions/rule-versions.ts';
import type { RuleVersion } from '../../storage/rule-ports.ts';
import { CannotRun, type Shell } from '../shell.ts';

/** Says that there is none, and lets the command end with 1. */
export function versionOf(shell: Shell, list: readonly RuleVersion[], word: string): RuleVersion | undefined {
  try {
    const found = findVersion(list, word);
    if (found) return found;
  } catch (error) {
    throw error instanceof AmbiguousVersion ? new CannotRun(error.message) : error;
  }
  shell.note(`there is no version "${word}"`);
  shell.exitCode = 1;
  return undefined;
}
