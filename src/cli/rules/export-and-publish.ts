import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRuleSources } from '../../checks/read-rule-sources.ts';
import { RulesNotWritten } from '../../checks/rule-source.ts';
import { writeRuleFiles } from '../../checks/write-rule-files.ts';
import { shortPath } from '../../lib/paths.ts';
import { orIfAbsent } from '../../lib/thrown.ts';
import { isoTime, systemClock } from '../../lib/time.ts';
import { keepDraft, publishRules } from '../../rule-lab/versions/publish-rules.ts';
import { changesBetween, describeChanges } from '../../rules/compare-files.ts';
import { digestOf } from '../../rules/rule-files.ts';
import type { StorageSession } from '../open-session.ts';
import { printable } from '../render/printable.ts';
import { userOf } from '../rule-versions.ts';
import { CannotRun, orCannotRun, orCannotUse, type Shell } from '../shell.ts';
import { judgeAsService, ownRulesOf, requireRead } from './own-rules.ts';

/** In an exported directory: the digest of what was published then. Rules are not read from it. */
const EXPORTED_FROM = '.exported-from';

/** Writes what is published into a new directory. */
export async function exportRules(shell: Shell, session: StorageSession, directory: string): Promise<void> {
  const { source } = ownRulesOf(shell, session);
  const dir = resolve(shell.cwd, directory);
  const { files, digest } = await requireRead(source);
  const there = await orCannotUse(dir, 'read', orIfAbsent(readdir(dir), []));
  if (there.length > 0)
    throw new CannotRun(`${shortPath(dir, shell.cwd)} is not empty: name a new directory`);
  await orCannotRun(async () => {
    await orCannotUse(dir, 'written', mkdir(dir, { recursive: true }));
    await writeRuleFiles(dir, {}, files);
  }, RulesNotWritten);
  await orCannotUse(dir, 'written', writeFile(join(dir, EXPORTED_FROM), `${digest}\n`));
  const names = Object.keys(files);
  shell.answer({ dir, digest, files: names }, () =>
    shell.print(`${names.length} files written to ${shortPath(dir, shell.cwd)}.`),
  );
}

/** Judges the rules of a directory as the service would, and publishes them in the place of those that are published. */
export async function publishDirectory(
  shell: Shell,
  session: StorageSession,
  directory: string,
  { author = userOf(shell) }: { readonly author?: string },
): Promise<void> {
  const { source, versions, shown, taken } = ownRulesOf(shell, session);
  const dir = resolve(shell.cwd, directory);
  const { files: after } = await readRuleSources(dir);
  const { files: before, digest } = await requireRead(source);
  const base = await orCannotUse(dir, 'read', orIfAbsent(readFile(join(dir, EXPORTED_FROM), 'utf8'), null));
  const isDone = digest === digestOf(after);
  if (base !== null && base.trim() !== digest && !isDone) {
    throw new CannotRun(
      `other rules were published since ${shortPath(dir, shell.cwd)} was exported, and would be undone: export them to another directory and bring your change there`,
    );
  }
  const assess = await judgeAsService(shell, session.loaded);
  const { faults, hash } = await assess(after);
  const changes = changesBetween(before, after);
  const isPublished = faults.length === 0 && changes.length > 0;
  if (faults.length > 0) shell.exitCode = 1;
  if (isPublished) {
    await orCannotRun(async () => {
      await keepDraft(before, { versions, assess, now: () => isoTime(systemClock.now()) });
      await publishRules(source, versions, { before, after, hash, author, restores: null });
    }, RulesNotWritten);
    // The next change of this directory is one of what it holds now.
    if (base !== null)
      await orCannotUse(dir, 'written', writeFile(join(dir, EXPORTED_FROM), `${digestOf(after)}\n`));
  }
  shell.answer({ ruleset: hash, changes, faults, published: isPublished }, () => {
    const rulesDir = session.loaded.config.rules.dir;
    for (const fault of faults) shell.print(printable(fault.replaceAll(rulesDir, shortPath(dir, shell.cwd))));
    if (faults.length > 0) shell.print(shell.paint('red', 'It would be refused; nothing is written.'));
    else if (!isPublished) shell.print(`${shown} holds these rules already.`);
    else shell.print(printable(`Published: ${describeChanges(changes)}. ${taken}`));
  });
}
