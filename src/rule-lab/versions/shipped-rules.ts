import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../app/config/config.ts';
import { readRuleSources } from '../../checks/read-rule-sources.ts';
import { RulesNotWritten } from '../../checks/rule-source.ts';
import { writeRuleFiles } from '../../checks/write-rule-files.ts';
import { StartupError } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleVersionStore } from '../../storage/rule-ports.ts';
import type { Merged, MergeOrder } from '../editing/merge-rules.ts';

/** Within a rules directory: the shipped files that those around them began as, which a merge of newer ones starts from. */
const BASE = '.shipped';

interface FillingTools {
  readonly versions: Pick<RuleVersionStore, 'last' | 'list' | 'filesOf'>;
  readonly log: Logger;
}

/**
 * Fills the rules directory where there is none: with the rules that were in force last, so that an upgrade which took them away with
 * the program's tree has lost nothing, or else with the shipped ones. Only by a service that holds the data directory. Returns
 * whether it did; throws a StartupError where it cannot.
 */
export async function fillRules(
  { dir, shippedDir }: Config['rules'],
  { versions, log }: FillingTools,
): Promise<boolean> {
  if (shippedDir === null) return false;
  const { files: shipped } = await readRuleSources(shippedDir);
  if (existsSync(dir)) {
    await noteBase(dir, shipped, versions);
    return false;
  }
  const last = await versions.last();
  const files = (last && (await versions.filesOf(last.version))) ?? shipped;
  const part = `${dir}.part`;
  try {
    await rm(part, { recursive: true, force: true });
    await copyTexts(shippedDir, part);
    await writeRuleFiles(part, shipped, files);
    await noteBase(part, shipped, versions);
    await rename(part, dir);
  } catch (error) {
    throw new StartupError([`${dir} cannot be filled with rules: ${messageOf(error)}`]);
  }
  log.info({ dir, version: last?.version ?? null }, 'the rules directory is made and filled');
  return true;
}

/** With modes of their own: those of the program's tree may forbid to write. */
async function copyTexts(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const target = join(to, entry.parentPath.slice(from.length), entry.name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await readFile(join(entry.parentPath, entry.name)), { flush: true });
  }
}

/**
 * A file that is as shipped now began as that. So did one of which it is not known, where the first version in the database has the
 * text that is shipped now; another text of that version may hold an edit of before the first start, which a merge would undo.
 */
async function noteBase(dir: string, shipped: RuleFiles, versions: FillingTools['versions']): Promise<void> {
  const base = await readBase(dir);
  const { files: own } = await readRuleSources(dir);
  const isUnknown = (file: string) => base[file] === undefined && own[file] !== shipped[file];
  const first = Object.keys(shipped).some(isUnknown) ? (await versions.list()).at(-1) : undefined;
  const began = (first && (await versions.filesOf(first.version))) ?? {};
  const known = Object.entries(shipped).filter(
    ([file, text]) => own[file] === text || (isUnknown(file) && began[file] === text),
  );
  try {
    await writeRuleFiles(join(dir, BASE), base, { ...base, ...Object.fromEntries(known) });
  } catch (error) {
    // A directory that is closed to the service goes without: a merge then asks a person more often.
    if (!(error instanceof RulesNotWritten)) throw error;
  }
}

/** Empty where it is not known. */
async function readBase(dir: string): Promise<RuleFiles> {
  const base = join(dir, BASE);
  return existsSync(base) ? (await readRuleSources(base)).files : {};
}

/** What newer shipped rules change in the operator's. */
export interface RulesUpgrade extends Merged {
  readonly own: RuleFiles;
  readonly shipped: RuleFiles;
  /** The shipped texts that the operator's files began as, where that is known. */
  readonly base: RuleFiles;
}

/**
 * Merges what has changed in the shipped rules into the operator's; nothing is written. Null where that changes nothing, and for rules
 * that are not kept in the data directory. Throws a StartupError where one of the directories cannot be read.
 */
export async function findUpgrade(
  { dir, shippedDir }: Config['rules'],
  chosen: MergeOrder['chosen'] = {},
): Promise<RulesUpgrade | null> {
  if (shippedDir === null || !existsSync(dir)) return null;
  const { files: own } = await readRuleSources(dir);
  const { files: shipped } = await readRuleSources(shippedDir);
  const base = await readBase(dir);
  if (digestOf(base) === digestOf(shipped)) return null;
  // It brings along what compares texts, which takes long to load.
  const { mergeRules } = await import('../editing/merge-rules.ts');
  const order = { base, mine: own, theirs: shipped };
  const merged = mergeRules(order);
  if (merged.conflicts.length === 0 && digestOf(merged.files) === digestOf(own)) return null;
  const isChosen = Object.keys(chosen).length > 0;
  return { ...(isChosen ? mergeRules({ ...order, chosen }) : merged), own, shipped, base };
}

/** One line at a start. */
export async function tellOfUpgrade(rules: Config['rules'], log: Logger): Promise<void> {
  if (await findUpgrade(rules)) log.info({ dir: rules.dir }, UPGRADE_OFFERED);
}

export const UPGRADE_OFFERED =
  'the shipped rules have changed since yours began: "postern rules upgrade" shows how and merges them';

/** After the merged rules were published: they are what is upgraded from next time. Throws RulesNotWritten. */
export function noteUpgrade(dir: string, { base, shipped }: RulesUpgrade): Promise<void> {
  return writeRuleFiles(join(dir, BASE), base, shipped);
}
