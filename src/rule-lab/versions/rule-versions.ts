import type { Publishing, RuleSource } from '../../checks/rule-source.ts';
import { compareKeys } from '../../lib/text.ts';
import { OWN_LIST_FILES } from '../../lists/own-lists.ts';
import { changesBetween } from '../../rules/compare-files.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleVersion, RuleVersionStore } from '../../storage/rule-ports.ts';

const NUMBER = /^v?(\d{1,9})$/;
const HASH = /^[0-9a-f]{4,16}$/;

/**
 * The versions that a word may mean: the version of that number; else the newest version of each hash that begins with the word. Empty
 * where there is none; several where the word is ambiguous. `list` is the whole history, the newest first.
 */
export function versionsMeant(list: readonly RuleVersion[], text: string): readonly RuleVersion[] {
  const word = text.toLowerCase();
  const number = NUMBER.exec(word)?.[1];
  const byNumber = list.filter(({ version }) => version === Number(number));
  if (byNumber.length > 0) return byNumber;
  const found = HASH.test(word) ? list.filter(({ hash }) => hash?.startsWith(word)) : [];
  return [...Map.groupBy(found, ({ hash }) => hash).values()].flatMap(([newest]) => newest ?? []);
}

/** A version with its files, and those of the one that was in force before it. */
export type OpenedVersion = Awaited<ReturnType<typeof openVersion>>;

/** `list` is the whole history, the newest first. `filesBefore` is empty where there was no version before. */
export async function openVersion(
  versions: RuleVersionStore,
  list: readonly RuleVersion[],
  version: RuleVersion,
) {
  const before = list.find((other) => other.version < version.version && other.reason !== 'draft');
  const [files = {}, filesBefore = {}] = await Promise.all([
    versions.filesOf(version.version),
    before ? versions.filesOf(before.version) : {},
  ]);
  const changes = changesBetween(filesBefore, files);
  const isInForce = version.version === (await versions.last())?.version;
  return { ...version, files, filesBefore, changes, isInForce };
}

/** The names that leave the process. */
export function presentVersion(opened: OpenedVersion) {
  const { version, hash: ruleset, digest, at, author, reason, restores, changes } = opened;
  return { version, ruleset, digest, at, author, reason, restores, in_force: opened.isInForce, changes };
}

/** `rollback to 3`, `change`. */
export function describeReason({ reason, restores }: RuleVersion): string {
  return restores === null ? reason : `${reason} to ${restores}`;
}

export interface Publication extends Publishing {
  /** What is published now. */
  readonly before: RuleFiles;
  readonly after: RuleFiles;
}

/** Publishes files; the version that is made of them bears the author's name. Throws RulesNotWritten. */
export async function publishRules(
  source: Pick<RuleSource, 'publish' | 'isTransactional'>,
  versions: Pick<RuleVersionStore, 'last' | 'announce' | 'withdraw'>,
  { before, after, ...publishing }: Publication,
): Promise<void> {
  if (source.isTransactional) return source.publish(before, after, publishing);
  const { author, restores } = publishing;
  const digest = digestOf(after);
  // Files that are in force already make no new version, which would use up the announcement.
  if ((await versions.last())?.digest !== digest) await versions.announce({ digest, author, restores });
  try {
    await source.publish(before, after, publishing);
  } catch (error) {
    // Withdrawn: another person may publish these files later.
    await versions.withdraw(digest);
    throw error;
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
  readonly source: Pick<RuleSource, 'read'>;
  readonly versions: Pick<RuleVersionStore, 'list' | 'filesOf' | 'add'>;
  readonly assess: (files: RuleFiles) => Promise<AssessedRules>;
  /** ISO 8601, UTC. */
  readonly now: () => string;
}

/**
 * Works out the files to publish so that a version is in force again, and saves the published files where no version holds them. With
 * `keepLists`, allow.yaml and deny.yaml stay as they are published now.
 */
export async function prepareRestoring({ version }: RuleVersion, keepLists: boolean, tools: RestoringTools) {
  const disk = await tools.source.read();
  // Files that cannot be read cannot be saved.
  if (!disk.files) return { is: 'unreadable', faults: disk.faults } as const;
  const before = disk.files;
  const stored = (await tools.versions.filesOf(version)) ?? {};
  const after = keepLists ? withListsOf(stored, before) : stored;
  // Assessed before anything is written: providers may have changed since, and an entry may have lost its meaning.
  const { faults, hash } = await tools.assess(after);
  if (faults.length > 0) return { is: 'refused', faults } as const;

  const changes = changesBetween(before, after);
  const draft = changes.length === 0 ? null : await keepDraft(before, tools);
  // `hash`: of `after`. `changes`: none where the version is published already. `draft`: the version that now holds the replaced files;
  // null where one did already, or nothing changes.
  return { is: 'ready', before, after, hash, changes, draft } as const;
}

/** Saves files that are about to be overwritten, unless a version holds them. Returns the new version; null where one did. */
export async function keepDraft(
  files: RuleFiles,
  { versions, assess, now }: Omit<RestoringTools, 'source'>,
): Promise<number | null> {
  const digest = digestOf(files);
  if ((await versions.list()).some((one) => one.digest === digest)) return null;
  const { hash } = await assess(files);
  const kept = { hash, digest, reason: 'draft', at: now(), author: null, restores: null } as const;
  return (await versions.add(kept, files)).version;
}

/** Keeps the lists of `disk`: lists change from day to day for reasons that the rules do not know. */
function withListsOf(files: RuleFiles, disk: RuleFiles): RuleFiles {
  const rest = Object.entries(files).filter(([path]) => !OWN_LIST_FILES.includes(path));
  const kept = Object.entries(disk).filter(([path]) => OWN_LIST_FILES.includes(path));
  return Object.fromEntries([...rest, ...kept].sort(compareKeys));
}
