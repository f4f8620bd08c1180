import { findUnsaved, forgetUnsaved, isUnsavedKept, keepUnsaved } from '../../unsaved-work.ts';
import type { Draft, Rules } from './queries.ts';
import { isUnsaved, ofDraft, ofRulesInForce, unsavedIn, type Workspace } from './workspace.ts';

/** Unsaved text, with as much of the text that it was made from as a merge needs; null for a file that is not there. */
interface UnsavedText {
  readonly revision: number;
  readonly baseDigest: string;
  readonly files: Readonly<Record<string, { readonly saved: string | null; readonly mine: string | null }>>;
}

/** One text for each draft, and one for the rules in force. */
const subjectOf = (draftId: string | null) => `rules ${draftId ?? 'in_force'}`;

/** False where the browser does not keep the text, or keeps that of another tab. */
export function keepText(person: string, workspace: Workspace): boolean {
  const { draftId, name, revision, baseDigest, saved } = workspace;
  const files = Object.fromEntries(
    Object.entries(unsavedIn(workspace)).map(([path, mine]) => [path, { saved: saved[path] ?? null, mine }]),
  );
  return keepUnsaved(person, subjectOf(draftId), {
    title: draftId === null ? 'the rules in force' : `the draft “${name}”`,
    at: new Date().toISOString(),
    value: { revision, baseDigest, files } satisfies UnsavedText,
  });
}

/** Whether this tab's text is still kept: another tab may have kept its own. */
export function isTextKept(person: string, draftId: string | null): boolean {
  return isUnsavedKept(person, subjectOf(draftId));
}

/** Leaves the text of another tab. */
export function forgetText(person: string, draftId: string | null): void {
  forgetUnsaved(person, subjectOf(draftId));
}

/** For a text that was left during its save as `draft`: keeps only what was typed since the save began, as a text of the draft. */
export function keepTypedOn(person: string, before: Workspace, draft: Draft): void {
  if (!isTextKept(person, before.draftId)) return;
  const files = withKeptText(person, before)?.workspace.files ?? draft.files;
  replaceText(person, before.draftId, { ...ofDraft(draft), files });
}

/** Forgets the text that was kept of the draft `before`, and keeps `after` where it has unsaved changes. */
export function replaceText(person: string, before: string | null, after: Workspace): void {
  forgetText(person, before);
  if (isUnsaved(after)) keepText(person, after);
}

/**
 * The service's files with the person's unsaved text in them, and when it was typed; null where there is none. A text that was made
 * from an older state keeps that state's revision and digest, so that the service notices a change since when it is saved.
 */
export function withKeptText(
  person: string,
  opened: Workspace,
): { readonly workspace: Workspace; readonly at: string } | null {
  const kept = findUnsaved<UnsavedText>(person, subjectOf(opened.draftId));
  if (kept === null) return null;
  const { revision, baseDigest, files } = kept.value;
  const sides = Object.entries(files);
  const saved = put(
    opened.saved,
    sides.map(([path, side]) => [path, side.saved]),
  );
  const mine = put(
    saved,
    sides.map(([path, side]) => [path, side.mine]),
  );
  const base = opened.draftId === null ? saved : opened.base;
  return { workspace: { ...opened, revision, baseDigest, base, saved, files: mine }, at: kept.at };
}

/** A workspace for the text that was typed into a draft that is gone, from the files that were kept with it; null where none were. */
export function ofGoneDraft(person: string, draftId: string, rules: Rules): Workspace | null {
  const opened = { ...ofRulesInForce(rules), draftId, baseDigest: '' };
  const saved = withKeptText(person, opened)?.workspace.saved;
  return saved === undefined ? null : { ...opened, base: saved, saved, files: saved };
}

function put(files: Workspace['files'], texts: readonly (readonly [string, string | null])[]) {
  const changed = new Map(texts);
  const kept = Object.entries(files).filter(([path]) => !changed.has(path));
  const there = texts.filter((entry): entry is readonly [string, string] => entry[1] !== null);
  return Object.fromEntries([...kept, ...there].sort(([a], [b]) => (a < b ? -1 : 1)));
}
