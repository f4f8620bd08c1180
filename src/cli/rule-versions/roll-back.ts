import { RulesNotWritten } from '../../checks/rule-source.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import { isoTime } from '../../lib/dates.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { restoreVersion } from '../../rule-lab/versions/publish-rules.ts';
import { AmbiguousVersion, findVersion } from '../../rule-lab/versions/rule-versions.ts';
import { describeChanges } from '../../rules/compare-files.ts';
import type { RuleVersion } from '../../storage/rule-ports.ts';
import type { StorageSession } from '../open-session.ts';
import { type CommonOptions, loginName } from '../options.ts';
import { printable } from '../render/printable.ts';
import { CannotRun, NotThere, orCannotRun, type Shell } from '../shell.ts';
import { judgeAsService } from './status.ts';

export interface RollbackOptions extends CommonOptions {
  readonly author?: string;
  readonly keepLists?: boolean;
}

export async function rollBack(
  shell: Shell,
  { loaded, storage: { ruleVersions: versions } }: StorageSession,
  word: string,
  options: RollbackOptions,
): Promise<void> {
  const { author = loginName() ?? shell.env.USER ?? 'unknown', keepLists = false } = options;
  const { dir, watch } = loaded.config.rules;
  const shown = shortPath(dir, shell.cwd);
  const found = await chooseVersion(await versions.list(), word);
  const assess = await judgeAsService(shell, loaded);
  const now = () => isoTime(systemClock.now());
  const tools = { source: new RulesDirectory(dir), versions, assess, now };
  const restored = await orCannotRun(
    () => restoreVersion(found, { author, keepLists }, tools),
    RulesNotWritten,
  );
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
  const isLast = (await versions.last())?.digest === digest;
  shell.answer(options, { restored: found.version, ruleset: found.hash, changes, draft }, () => {
    if (changes.length === 0) {
      shell.print(`${shown} holds version ${found.version} already.`);
      return;
    }
    if (draft !== null) {
      shell.print(`What lay in ${shown} was never in force: it is kept as version ${draft}.`);
    }
    const what = `${shown} is what it was in version ${found.version}: ${describeChanges(changes)}.`;
    shell.print(printable(what));
    if (isLast) shell.print('That is what was put in force last.');
    else shell.print(`A running service takes it ${watch ? WITHIN_SECONDS : 'at SIGHUP, as a new version.'}`);
  });
}

const WITHIN_SECONDS = 'within seconds, as a new version; "postern rules status" says when it has.';

/** Throws NotThere, or CannotRun where several versions may be meant. */
export async function chooseVersion(list: readonly RuleVersion[], word: string): Promise<RuleVersion> {
  const found = await orCannotRun(() => findVersion(list, word), AmbiguousVersion);
  if (!found) throw new NotThere(`there is no version "${word}"`);
  return found;
}
