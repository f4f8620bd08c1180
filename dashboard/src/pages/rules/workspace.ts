import type { RuleFiles } from './language/names.ts';
import type { Draft, Judged, Rules, Typed } from './queries.ts';

/** The files that a person edits. */
export interface Workspace extends Typed {
  /** Null while nothing of it was saved: it began with the rules in force. */
  readonly draftId: string | null;
  readonly name: string;
  readonly revision: number;
  /** The rules in force that the text was made from. */
  readonly base: RuleFiles;
  /** Digest of `base`. Empty for a draft, unless newer rules were merged into it that the saved draft does not have yet. */
  readonly baseDigest: string;
  /** The files as the service has them. */
  readonly saved: RuleFiles;
}

/** The last version. Every text that is typed on this page gets a new one, so that answers to older texts are told apart. */
let versions = 0;

export function ofRulesInForce({ in_force }: Rules): Workspace {
  const { files, digest: baseDigest } = in_force;
  const origin = { draftId: null, name: '', revision: 0, base: files, baseDigest, saved: files };
  return { ...origin, files, version: nextVersion() };
}

export function ofDraft(draft: Draft): Workspace {
  const { id, name, revision, base_files: base, files } = draft;
  return { draftId: id, name, revision, base, baseDigest: '', saved: files, files, version: nextVersion() };
}

export function nextVersion(): number {
  versions += 1;
  return versions;
}

/** The changes of a workspace that the service does not have yet; null for a file that is gone. */
export function unsavedIn({
  files,
  saved,
}: Pick<Workspace, 'files' | 'saved'>): Record<string, string | null> {
  return Object.fromEntries([...changesOf(saved, files)].map((path) => [path, files[path] ?? null]));
}

/** A text as the service judges it: as changes of the rules in force. */
export function judgedOf({ files, version }: Typed, { digest, files: saved }: Rules['in_force']): Judged {
  return { version, changes: { files: unsavedIn({ files, saved }), base_digest: digest } };
}

export function isUnsaved(workspace: Pick<Workspace, 'draftId' | 'baseDigest' | 'files' | 'saved'>): boolean {
  const isMerged = workspace.draftId !== null && workspace.baseDigest !== '';
  return isMerged || Object.keys(unsavedIn(workspace)).length > 0;
}

/** Files that differ from the rules in force. */
export function changedIn({ files, base }: Pick<Workspace, 'files' | 'base'>): ReadonlySet<string> {
  return changesOf(base, files);
}

/** Paths of files that are not the same in both. */
export function changesOf(before: RuleFiles, after: RuleFiles): ReadonlySet<string> {
  const paths = [...Object.keys(before), ...Object.keys(after)];
  return new Set(paths.filter((path) => before[path] !== after[path]));
}
