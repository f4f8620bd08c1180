import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRuleSources, writeRuleFiles } from '../../checks/rules-directory.ts';
import { shortPath } from '../../lib/paths.ts';
import { orIfAbsent } from '../../lib/thrown.ts';
import { isoTime, systemClock } from '../../lib/time.ts';
import type { Conflict, Side } from '../../rule-lab/editing/merge-rules.ts';
import { keepDraft, publishRules } from '../../rule-lab/versions/rule-versions.ts';
import { findUpgrade, type RulesUpgrade, UPGRADE_OFFERED } from '../../rule-lab/versions/shipped-rules.ts';
import { changesBetween, describeChanges, unifiedDiff } from '../../rules/compare-files.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import { loadSettings, type StorageSession } from '../open-session.ts';
import { printDiff, userOf } from '../rule-versions.ts';
import { CannotRun, orCannotUse, printable, type Shell } from '../shell.ts';
import { judgeAsService, ownRulesOf, requireRead } from './open-rules.ts';

/** In an exported directory: the digest of what was published then. Rules are not read from it. */
const EXPORTED_FROM = '.exported-from';

/** Writes what is published into a new directory. */
export async function exportRules(session: StorageSession, directory: string): Promise<void> {
  const { shell } = session;
  const { source } = ownRulesOf(session);
  const dir = resolve(shell.cwd, directory);
  const { files, digest } = await requireRead(source);
  const there = await orCannotUse(dir, 'read', () => orIfAbsent(readdir(dir), []));
  if (there.length > 0)
    throw new CannotRun(`${shortPath(dir, shell.cwd)} is not empty: name a new directory`);
  await writeRuleFiles(dir, {}, files);
  await noteOrigin(dir, digest);
  const names = Object.keys(files);
  shell.answer({ dir, digest, files: names }, () =>
    shell.print(`${names.length} files written to ${shortPath(dir, shell.cwd)}.`),
  );
}

async function noteOrigin(dir: string, digest: string): Promise<void> {
  await orCannotUse(dir, 'written', () => writeFile(join(dir, EXPORTED_FROM), `${digest}\n`));
}

/** Judges the rules of a directory as the service would, and publishes them in the place of those that are published. */
export async function publishDirectory(
  session: StorageSession,
  directory: string,
  options: { readonly author?: string },
): Promise<void> {
  const { shell, loaded } = session;
  const { author = userOf(shell) } = options;
  const { source, versions, shown, taken } = ownRulesOf(session);
  const dir = resolve(shell.cwd, directory);
  const { files: after } = await readRuleSources(dir);
  const { files: before, digest } = await requireRead(source);
  const note = join(dir, EXPORTED_FROM);
  const base = await orCannotUse(dir, 'read', () => orIfAbsent(readFile(note, 'utf8'), null));
  const isDone = digest === digestOf(after);
  if (base !== null && base.trim() !== digest && !isDone) {
    throw new CannotRun(
      `other rules were published since ${shortPath(dir, shell.cwd)} was exported, and would be undone: export them to another directory and bring your change there`,
    );
  }
  const assess = await judgeAsService(shell, loaded);
  const { faults, hash } = await assess(after, dir);
  const changes = changesBetween(before, after);
  const isPublished = faults.length === 0 && changes.length > 0;
  if (faults.length > 0) shell.exitCode = 1;
  if (isPublished) {
    await keepDraft(before, { versions, assess, now: () => isoTime(systemClock.now()) });
    await publishRules(source, versions, { before, after, hash, author, restores: null });
    // The next publication of this directory must start from what it holds now.
    if (base !== null) await noteOrigin(dir, digestOf(after));
  }
  shell.answer({ ruleset: hash, changes, faults, published: isPublished }, () => {
    for (const fault of faults) shell.print(printable(fault.replaceAll(dir, shortPath(dir, shell.cwd))));
    if (faults.length > 0) shell.print(shell.paint('red', 'It would be refused; nothing is written.'));
    else if (!isPublished) shell.print(`${shown} holds these rules already.`);
    else shell.print(printable(`Published: ${describeChanges(changes)}. ${taken}`));
  });
}

export interface UpgradeOptions {
  readonly publish?: boolean;
  readonly own?: readonly string[];
  readonly shipped?: readonly string[];
  readonly author?: string;
}

/** Shows what newer shipped rules would change, and with `publish` publishes it, unless it conflicts or the service would refuse it. */
export async function upgrade(session: StorageSession, options: UpgradeOptions): Promise<void> {
  const { shell, loaded } = session;
  const { publish: isWanted = false, own = [], shipped = [], author = userOf(shell) } = options;
  const { dir, shippedDir } = loaded.config.rules;
  const { source, versions, upgrades, shown, taken } = ownRulesOf(session);
  if (shippedDir === null) {
    throw new CannotRun(
      `${dir} is no rules directory that Postern fills: in a checkout, and where rules.dir is set to one of yours, version control merges what is shipped`,
    );
  }
  if (!(await upgrades.own())) throw new CannotRun(`there is no ${dir} yet; the first start makes it`);
  const found = await findUpgrade(loaded.config.rules, chosenSides(own, shipped), upgrades);
  if (!found) {
    shell.answer({ offered: [], changes: [], conflicts: [], faults: [], diff: '', published: false }, () =>
      shell.print('The shipped rules have nothing new for yours.'),
    );
    return;
  }
  const unknown = [...own, ...shipped].find(
    (file) => ![found.own, found.shipped].some((files) => Object.hasOwn(files, file)),
  );
  if (unknown !== undefined)
    throw new CannotRun(`neither your rules nor the shipped ones have a file "${unknown}"`);

  const conflicts = found.conflicts.map((conflict) => ({ ...conflict, why: whyOf(conflict, found) }));
  const assess = await judgeAsService(shell, loaded);
  const { faults, hash } = conflicts.length > 0 ? { faults: [], hash: null } : await assess(found.files);
  const isPublished = isWanted && conflicts.length + faults.length === 0;
  if (isPublished) {
    const publication = { before: found.own, after: found.files, hash, author, restores: null };
    // `--shipped` replaces a whole file, whose text may be in no version yet.
    await keepDraft(found.own, { versions, assess, now: () => isoTime(systemClock.now()) });
    await publishRules(source, versions, publication);
    await upgrades.keepBase(found.base, found.shipped);
  } else shell.exitCode = 1;

  const began = beganAs(found);
  const [offered, news] = [changesBetween(began, found.shipped), unifiedDiff(began, found.shipped)];
  const changes = conflicts.length > 0 ? [] : changesBetween(found.own, found.files);
  const diff = conflicts.length > 0 ? '' : unifiedDiff(found.own, found.files);
  shell.answer({ offered, changes, conflicts, faults, diff, published: isPublished }, () => {
    shell.print(printable(`Changed in the shipped rules: ${describeChanges(offered)}.`));
    printDiff(shell, news);
    shell.print();
    if (conflicts.length > 0) {
      for (const { file, line, why } of conflicts)
        shell.print(printable(`${shown}/${file}:${line} conflict: ${why}`));
      shell.print(shell.paint('red', `Nothing is written. ${TO_CHOOSE}`));
      return;
    }
    shell.print(printable(`Merged into ${shown}: ${describeChanges(changes) || 'no file'}.`));
    if (diff !== news) printDiff(shell, diff);
    for (const fault of faults) shell.print(printable(`  ${fault.replaceAll(dir, shown)}`));
    if (isPublished)
      shell.print(
        changes.length > 0 ? `Published. ${taken}` : 'Noted: these changes are not offered any more.',
      );
    else if (faults.length > 0) shell.print(shell.paint('red', 'It would be refused; nothing is written.'));
    else shell.print('It would be taken. Nothing is written before --publish.');
  });
}

const TO_CHOOSE =
  'Say for each file --own FILE (yours stays, with what you bring into it by hand before) or --shipped FILE (yours goes).';

/** Throws CannotRun for a file that stands in both. */
function chosenSides(own: readonly string[], shipped: readonly string[]): Readonly<Record<string, Side>> {
  const both = own.find((file) => shipped.includes(file));
  if (both !== undefined) throw new CannotRun(`"${both}" is named by --own and by --shipped`);
  const sides = [...own.map((file) => [file, 'mine']), ...shipped.map((file) => [file, 'theirs'])];
  return Object.fromEntries(sides);
}

/** The shipped texts that the operator's files began as; where such a text is not known, the operator's own. */
function beganAs({ base, own, shipped }: RulesUpgrade): RuleFiles {
  const unknown = Object.entries(own).filter(([file]) => file in shipped && !(file in base));
  return { ...base, ...Object.fromEntries(unknown) };
}

function whyOf({ file }: Conflict, { base, own, shipped }: RulesUpgrade): string {
  if (!(file in base)) return 'it differs from the shipped file, and it is not known what it began as';
  if (!(file in own)) return 'you have deleted what was changed in the shipped rules';
  if (!(file in shipped)) return 'you have changed what is not shipped any more';
  return 'you have changed what was changed in the shipped rules';
}

/** Notes after a command on rules, in one line, that newer shipped rules are offered. Ignores what cannot be read: that is told elsewhere. */
export async function noteOffer(shell: Shell): Promise<void> {
  const { rules } = (await loadSettings(shell)).config;
  // With a database, the start of the service says so.
  if (rules.source === 'database') return;
  if (await findUpgrade(rules).catch(() => null)) shell.note(UPGRADE_OFFERED);
}
