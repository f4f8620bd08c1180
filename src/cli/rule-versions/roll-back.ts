import { userInfo } from 'node:os';
import { faultsOf } from '../../checks/judge/judge-rules.ts';
import { changesBetween, describeChanges } from '../../rules/compare-files.ts';
import { digestOf, type RuleFiles, sourcesOf } from '../../rules/rule-files.ts';
import type { RuleVersionStore } from '../../storage/ports.ts';
import { CannotRun } from '../cannot-run.ts';
import { type StorageSession, withStorage } from '../open-storage.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';
import { shortPath } from '../short-path.ts';
import { findVersion } from './find-version.ts';
import { judgeAsService, readRulesOnDisk } from './rules-on-disk.ts';
import { writeRuleFiles } from './write-rule-files.ts';

export interface RollbackOptions extends CommonOptions {
  readonly author?: string;
  readonly keepLists?: boolean;
}

const LISTS = ['allow.yaml', 'deny.yaml'];

export async function rollBack(shell: Shell, word: string, options: RollbackOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, (session) => restore(shell, session, word, options));
}

async function restore(
  shell: Shell,
  { loaded, storage: { ruleVersions } }: StorageSession,
  word: string,
  options: RollbackOptions,
): Promise<void> {
  const { dir, watch } = loaded.config.rules;
  const shown = shortPath(dir, shell.cwd);
  const found = await findVersion(shell, ruleVersions, word);
  if (!found) return;
  const disk = await readRulesOnDisk(dir);
  if (!disk.files) {
    throw new CannotRun(
      [`${shown} cannot be read, so what lies there cannot be kept:`, ...disk.faults].join('\n'),
    );
  }
  const stored = (await ruleVersions.filesOf(found.version)) ?? {};
  const files = options.keepLists ? withListsOf(stored, disk.files) : stored;
  const changes = changesBetween(disk.files, files);

  // Before anything is written: providers may have changed since, and an entry may have lost its meaning.
  const { judge, hashOf } = await judgeAsService(shell, loaded);
  const faults = faultsOf(await judge(sourcesOf(dir, files)));
  if (faults.length > 0) {
    shell.note(`version ${found.version} would be refused now; nothing is written:`);
    for (const fault of faults) shell.note(`  ${fault.replaceAll(dir, shown)}`);
    shell.exitCode = 1;
    return;
  }

  let draft: number | null = null;
  if (changes.length > 0) {
    if (!(await isKept(ruleVersions, disk.digest))) {
      const hash = hashOf(await judge(disk.sources));
      const at = new Date().toISOString();
      const kept = { hash, digest: disk.digest, reason: 'draft', at, author: null, restores: null } as const;
      draft = (await ruleVersions.add(kept, disk.files)).version;
    }
    await announce(shell, ruleVersions, { digest: digestOf(files), restores: found.version }, options.author);
    try {
      await writeRuleFiles(dir, disk.files, files);
    } catch (error) {
      // Whoever brings these files later is somebody else.
      await ruleVersions.withdraw(digestOf(files));
      throw error;
    }
  }
  if (options.json) {
    shell.json({ restored: found.version, ruleset: found.hash, changes, draft });
    return;
  }
  if (changes.length === 0) {
    shell.print(`${shown} holds version ${found.version} already.`);
    return;
  }
  if (draft !== null) shell.print(`What lay in ${shown} was never in force: it is kept as version ${draft}.`);
  shell.print(printable(`${shown} is what it was in version ${found.version}: ${describeChanges(changes)}.`));
  if (ruleVersions.last()?.digest === digestOf(files)) shell.print('That is what was put in force last.');
  else if (watch) {
    shell.print(
      'A running service takes it within seconds, as a new version; "postern rules status" says when it has.',
    );
  } else shell.print('A running service takes it at SIGHUP, as a new version.');
}

/** Lists change from day to day for reasons that rules know nothing of. */
function withListsOf(files: RuleFiles, disk: RuleFiles): RuleFiles {
  const rest = Object.entries(files).filter(([path]) => !LISTS.includes(path));
  const kept = Object.entries(disk).filter(([path]) => LISTS.includes(path));
  return Object.fromEntries([...rest, ...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is in force makes no new version, which would use the announcement up. */
async function announce(
  shell: Shell,
  versions: RuleVersionStore,
  what: { readonly digest: string; readonly restores: number },
  author = userName(shell),
): Promise<void> {
  if (versions.last()?.digest !== what.digest) await versions.announce({ ...what, author });
}

async function isKept(versions: RuleVersionStore, digest: string): Promise<boolean> {
  return (await versions.list()).some((version) => version.digest === digest);
}

function userName(shell: Shell): string {
  try {
    return userInfo().username;
  } catch {
    // A user that the system has no name for, as in containers.
    return shell.env.USER ?? 'unknown';
  }
}
