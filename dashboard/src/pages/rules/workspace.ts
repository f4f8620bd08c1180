import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import type { RuleFiles } from './language/names.ts';
import type { Draft, Rules, Typed } from './queries.ts';

/** The files that a person edits. */
export interface Workspace extends Typed {
  /** Null while nothing of it was saved: it began with the rules in force. */
  readonly draftId: string | null;
  readonly name: string;
  readonly revision: number;
  /** The rules in force that it was made of. */
  readonly base: RuleFiles;
  /** Of the texts of `base`. */
  readonly baseDigest: string;
  /** As the service has it. */
  readonly saved: RuleFiles;
}

/** Another for every text that was ever typed on this page, so that answers to older ones are told apart. */
let versions = 0;
/** Kept while the person is on another page. */
let kept: Workspace | null = null;

/** A moment in which nothing is typed. */
const PAUSE_MS = 350;

export function ofRulesInForce({ in_force }: Rules): Workspace {
  const { files, digest: baseDigest } = in_force;
  const origin = { draftId: null, name: '', revision: 0, base: files, baseDigest, saved: files };
  return { ...origin, files, version: nextVersion() };
}

export function ofDraft(draft: Draft): Workspace {
  const { id, name, revision, base_files: base, files } = draft;
  return { draftId: id, name, revision, base, baseDigest: '', saved: files, files, version: nextVersion() };
}

function nextVersion(): number {
  versions += 1;
  return versions;
}

/** The changes of a workspace that the service does not have yet; null for a file that is gone. */
export function unsavedIn({
  files,
  saved,
}: Pick<Workspace, 'files' | 'saved'>): Record<string, string | null> {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(saved)])];
  return Object.fromEntries(
    paths.filter((path) => files[path] !== saved[path]).map((path) => [path, files[path] ?? null]),
  );
}

/** Files that differ from the rules in force. */
export function changedIn({ files, base }: Pick<Workspace, 'files' | 'base'>): ReadonlySet<string> {
  const paths = [...Object.keys(files), ...Object.keys(base)];
  return new Set(paths.filter((path) => files[path] !== base[path]));
}

/** Keeps the edited files, also while another page is open, and a debounced copy of the text that lint and replay get. */
export function useWorkspace(initial: Workspace) {
  const [workspace, setState] = useState<Workspace>(() =>
    kept !== null && kept.draftId === initial.draftId && !isEmpty(unsavedIn(kept)) ? kept : initial,
  );
  const [settled] = useDebouncedValue(workspace, PAUSE_MS);
  useEffect(() => {
    kept = workspace;
  }, [workspace]);
  const isUnsaved = !isEmpty(unsavedIn(workspace));
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);

  const edit = useCallback((change: (files: RuleFiles) => RuleFiles) => {
    setState((before) => {
      const files = change(before.files);
      return files === before.files ? before : { ...before, files, version: nextVersion() };
    });
  }, []);
  const load = useCallback((next: Workspace) => setState(next), []);
  /** What was typed while it was saved stays. */
  const noteSaved = useCallback((draft: Draft) => {
    setState((before) => ({ ...ofDraft(draft), files: before.files, version: before.version }));
  }, []);
  return { workspace, settled, isUnsaved, edit, load, noteSaved };
}

function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(record).length === 0;
}
