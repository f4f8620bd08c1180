import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../app/config/config.ts';
import { type RuleSource, RulesNotWritten } from '../../checks/rule-source.ts';
import { readConfiguredRules, readRuleSources, writeRuleFiles } from '../../checks/rules-directory.ts';
import { StartupError } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import { isoTime } from '../../lib/time.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { lintRules } from '../../rules/lint/lint-rules.ts';
import { formatForLog } from '../../rules/problem.ts';
import { digestOf, type RuleFiles, type RuleSources } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { ServiceStateStore, Storage } from '../../storage/ports.ts';
import { makeDirectory } from '../../storage/private-files.ts';
import type { RuleVersionStore } from '../../storage/rule-ports.ts';
import type { MergeOrder } from '../editing/merge-rules.ts';

/** Folder in a rules directory: the shipped texts that the operator's files began as, the base of a merge with newer ones. */
const BASE = '.shipped';

/** Where rules lie in files: the operator's, and the shipped ones. */
type RuleDirectories = Pick<Config['rules'], 'dir' | 'shippedDir'>;

interface FillingTools {
  readonly versions: Pick<RuleVersionStore, 'last' | 'list' | 'filesOf'>;
  readonly log: Logger;
}

/**
 * Makes and fills the rules directory where there is none: with the rules that were in force last, so that an upgrade which removed them
 * with the program's tree loses nothing, else with the shipped rules. To be called only by a service that holds the data directory. Returns
 * whether it did; throws a StartupError where it cannot.
 */
export async function fillRules(
  { dir, shippedDir }: RuleDirectories,
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

/** Copies texts without their modes: those of the program's tree may forbid writing. */
async function copyTexts(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const target = join(to, entry.parentPath.slice(from.length), entry.name);
    makeDirectory(dirname(target));
    await writeFile(target, await readFile(join(entry.parentPath, entry.name)), { flush: true });
  }
}

/**
 * Notes, as base, the shipped text of files that began as it: files equal to it now, and files of unknown origin whose text in the first
 * stored version was equal. Another text of that version may hold an edit from before the first start, which a merge would undo.
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
    // A directory that the service may not write to gets no base: a merge then asks a person more often.
    if (!(error instanceof RulesNotWritten)) throw error;
  }
}

/** Empty where it is not known. */
async function readBase(dir: string): Promise<RuleFiles> {
  const base = join(dir, BASE);
  return existsSync(base) ? (await readRuleSources(base)).files : {};
}

/** Where the operator's rules are kept, beside the shipped texts that they began as. */
export interface UpgradePlace {
  /** Null where there are none yet. */
  own(): Promise<RuleFiles | null>;
  /** Empty where it is not known. */
  base(): Promise<RuleFiles>;
  /** Replaces the base, which is `before`: once merged rules are published, the next upgrade starts from the shipped ones. Throws RulesNotWritten. */
  keepBase(before: RuleFiles, base: RuleFiles): Promise<void>;
}

export function placeInDirectory(dir: string): UpgradePlace {
  return {
    own: async () => (existsSync(dir) ? (await readRuleSources(dir)).files : null),
    base: () => readBase(dir),
    keepBase: (before, base) => writeRuleFiles(join(dir, BASE), before, base),
  };
}

type State = Pick<ServiceStateStore, 'find' | 'keep'>;

export function placeInDatabase(source: Pick<RuleSource, 'read'>, state: State): UpgradePlace {
  return {
    own: async () => (await source.read()).files,
    base: async () => JSON.parse((await state.find('rules_base')) ?? '{}'),
    keepBase: (_before, base) => state.keep('rules_base', JSON.stringify(base)),
  };
}

/** Stores the base after the first publication in a database: files equal to the shipped ones, and the base that the directory has. */
async function beginBase({ dir, shippedDir }: RuleDirectories, own: RuleFiles, state: State): Promise<void> {
  if (shippedDir === null) return;
  const { files: shipped } = await readRuleSources(shippedDir);
  const asShipped = Object.entries(shipped).filter(([file, text]) => own[file] === text);
  const base = { ...(await readBase(dir)), ...Object.fromEntries(asShipped) };
  await state.keep('rules_base', JSON.stringify(base));
}

/** The changes that newer shipped rules make in the operator's rules, with the texts on all sides. */
export type RulesUpgrade = NonNullable<Awaited<ReturnType<typeof findUpgrade>>>;

/**
 * Merges what has changed in the shipped rules into the operator's; nothing is written. Null where that changes nothing, and for rules
 * that are not kept in the data directory. Throws a StartupError where one of the directories cannot be read.
 */
export async function findUpgrade(
  { dir, shippedDir }: RuleDirectories,
  chosen: MergeOrder['chosen'] = {},
  place = placeInDirectory(dir),
) {
  if (shippedDir === null) return null;
  const own = await place.own();
  if (!own) return null;
  const { files: shipped } = await readRuleSources(shippedDir);
  const base = await place.base();
  if (digestOf(base) === digestOf(shipped)) return null;
  // Imported only here: it brings in the text comparison, which takes long to load.
  const { mergeRules } = await import('../editing/merge-rules.ts');
  const order = { base, mine: own, theirs: shipped };
  const merged = mergeRules(order);
  if (merged.conflicts.length === 0 && digestOf(merged.files) === digestOf(own)) return null;
  const isChosen = Object.keys(chosen).length > 0;
  return { ...(isChosen ? mergeRules({ ...order, chosen }) : merged), own, shipped, base };
}

export const UPGRADE_OFFERED =
  'the shipped rules have changed since yours began: "postern rules upgrade" shows how and merges them';

interface FirstRulesTools {
  readonly rules: RuleDirectories;
  readonly storage: Pick<Storage, 'ruleVersions' | 'state'>;
  readonly catalogue: FactCatalogue;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * For `rules.source: database`, before the first read: where nothing is published yet, publishes the rules that the operator had. Where
 * many instances start at once, one does it. Throws a StartupError that lists the faults of the rules.
 */
export async function publishFirstRules(tools: FirstRulesTools): Promise<void> {
  const { rules, storage, catalogue, clock, log } = tools;
  const { ruleVersions: versions, state } = storage;
  const published = await versions.published();
  if (published) {
    const last = await versions.last();
    // Instances ran with a directory meanwhile, or one still does.
    if (last && last.version > published.version) {
      const told = { published: published.version, since: last.version };
      log.warn(
        told,
        'rules came in force from a directory since, and are not published: "postern rules rollback"',
      );
    }
    return;
  }
  const sources = await findFirst(tools);
  const now = clock.now();
  const { problems, definitions } = lintRules(sources, catalogue, { now, onlyErrors: true });
  if (!definitions) throw new StartupError(problems.map(formatForLog));
  const { files, dir } = sources;
  const { hash } = compileRuleSet(definitions, now);
  const first = { hash, digest: digestOf(files), reason: 'start', author: null, restores: null } as const;
  const version = await versions.publish({ ...first, at: isoTime(now) }, files, null);
  // Another instance was first.
  if (!version) return;
  await beginBase(rules, files, state);
  log.info(
    { version: version.version, from: dir },
    'the rules are published: rules.dir is not read any more',
  );
}

/** The rules of `rules.dir`; where there is none, those that were in force last, on another machine; else the shipped ones. */
async function findFirst({ rules, storage }: FirstRulesTools): Promise<RuleSources> {
  const { ruleVersions: versions } = storage;
  if (rules.shippedDir !== null && !existsSync(rules.dir)) {
    const last = await versions.last();
    const files = last && (await versions.filesOf(last.version));
    if (files) return { dir: `version ${last.version}`, files };
  }
  return readConfiguredRules(rules);
}
