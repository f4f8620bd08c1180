import { userInfo } from 'node:os';
import { RulesNotWritten } from '../../checks/rule-source.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import { isoTime } from '../../lib/dates.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { type Restored, restoreVersion } from '../../rule-lab/versions/publish-rules.ts';
import { AmbiguousVersion, findVersion } from '../../rule-lab/versions/rule-versions.ts';
import { describeChanges } from '../../rules/compare-files.ts';
import type { RuleVersion } from '../../storage/rule-ports.ts';
import { type StorageSession, withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { judgeAsService } from './status.ts';

export interface RollbackOptions extends CommonOptions {
  readonly author?: string;
  readonly keepLists?: boolean;
}

export async function rollBack(shell: Shell, word: string, options: RollbackOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, (session) => restore(shell, session, word, options));
}

async function restore(
  shell: Shell,
  { loaded, storage: { ruleVersions: versions } }: StorageSession,
  word: string,
  { author = userName(shell), keepLists = false, json }: RollbackOptions,
): Promise<void> {
  const { dir, watch } = loaded.config.rules;
  const shown = shortPath(dir, shell.cwd);
  const found = versionOf(shell, await versions.list(), word);
  if (!found) return;
  const assess = await judgeAsService(shell, loaded);
  const now = () => isoTime(systemClock.now());
  const tools = { source: new RulesDirectory(dir), versions, assess, now };
  const restored = await orCannotRun(restoreVersion(found, { author, keepLists }, tools));
  if (restored.is === 'unreadable') {
    throw new CannotRun(
      [`${shown} cannot be read, so what lies there cannot be kept:`, ...restored.faults].join('\n'),
    );
  }
  if (restored.is === 'refused') {
    shell.note(`version ${found.version} would be refused now; nothing is written:`);
    for (const fault of restored.faults) shell.note(`  ${fault.replaceAll(dir, shown)}`);
    shell.exitCode = 1;
    return;
  }
  const { changes, draft, digest } = restored;
  if (json) {
    shell.json({ restored: found.version, ruleset: found.hash, changes, draft });
    return;
  }
  if (changes.length === 0) {
    shell.print(`${shown} holds version ${found.version} already.`);
    return;
  }
  if (draft !== null) shell.print(`What lay in ${shown} was never in force: it is kept as version ${draft}.`);
  shell.print(printable(`${shown} is what it was in version ${found.version}: ${describeChanges(changes)}.`));
  if ((await versions.last())?.digest === digest) shell.print('That is what was put in force last.');
  else if (watch) {
    shell.print(
      'A running service takes it within seconds, as a new version; "postern rules status" says when it has.',
    );
  } else shell.print('A running service takes it at SIGHUP, as a new version.');
}

async function orCannotRun(restoring: Promise<Restored>): Promise<Restored> {
  try {
    return await restoring;
  } catch (error) {
    throw error instanceof RulesNotWritten ? new CannotRun(error.message) : error;
  }
}

function userName(shell: Shell): string {
  try {
    return userInfo().username;
  } catch {
    // A user that the system has no name for, as in containers.
    return shell.env.USER ?? 'unknown';
  }
}

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
