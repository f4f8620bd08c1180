import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RuleFiles } from './language/names.ts';
import type { Merged } from './merging.ts';
import type { Draft } from './queries.ts';
import { forgetText, isTextKept, keepText, withKeptText } from './unsaved-text.ts';
import { isUnsaved, nextVersion, ofDraft, type Workspace } from './workspace.ts';

/** Debounce of typing. */
const PAUSE_MS = 350;

interface Edited {
  readonly workspace: Workspace;
  /** When its unsaved changes were typed, where they were kept from an earlier visit; otherwise null. */
  readonly keptSince: string | null;
}

/** The files as one person edits them, kept in their browser until they are saved, and a debounced copy that lint and replay get. */
export function useWorkspace(initial: Workspace, person: string) {
  const [{ workspace, keptSince }, setState] = useState<Edited>(() => opened(person, initial));
  const [settled] = useDebouncedValue(workspace, PAUSE_MS);
  const isKept = useKeeping(workspace, person);

  const edit = useCallback((change: (files: RuleFiles) => RuleFiles) => {
    setState((before) => {
      const files = change(before.workspace.files);
      if (files === before.workspace.files) return before;
      return { ...before, workspace: { ...before.workspace, files, version: nextVersion() } };
    });
  }, []);
  /** Opens another text, with what the person has typed into it before. */
  const open = useCallback((next: Workspace) => setState(opened(person, next)), [person]);
  /** Does nothing where the person typed on since. */
  const loadMerged = useCallback(({ mine, merged }: Merged) => {
    setState((before) => (before.workspace === mine ? { workspace: merged, keptSince: null } : before));
  }, []);
  /** Replaces what was typed. */
  const load = useCallback((next: Workspace) => setState({ workspace: next, keptSince: null }), []);
  const { draftId } = workspace;
  /** Takes over a saved draft; what was typed during the save stays. */
  const noteSaved = useCallback(
    (draft: Draft) => {
      forgetText(person, draftId);
      setState(({ workspace: { files, version } }) => ({
        workspace: { ...ofDraft(draft), files, version },
        keptSince: null,
      }));
    },
    [person, draftId],
  );
  const noteRenamed = useCallback(({ name, revision }: Draft) => {
    setState((before) => ({ ...before, workspace: { ...before.workspace, name, revision } }));
  }, []);
  const state = { workspace, settled, isUnsaved: isUnsaved(workspace), isKept, keptSince };
  return { ...state, edit, open, load, loadMerged, noteSaved, noteRenamed };
}

function opened(person: string, initial: Workspace): Edited {
  const kept = withKeptText(person, initial);
  return kept && isUnsaved(kept.workspace)
    ? { workspace: { ...kept.workspace, version: nextVersion() }, keptSince: kept.at }
    : { workspace: initial, keptSince: null };
}

/** Keeps the unsaved text in the browser at each change. Where that fails, the browser asks before the page is left. */
function useKeeping(workspace: Workspace, person: string): boolean {
  const [isKept, setKept] = useState(true);
  const last = useRef(workspace);
  useEffect(() => {
    const before = last.current;
    last.current = workspace;
    if (isUnsaved(workspace)) setKept(keepText(person, workspace));
    // The changes were undone, or replaced by the service's text. A text that was left for another draft stays.
    else if (before.draftId === workspace.draftId && isUnsaved(before)) forgetText(person, workspace.draftId);
  }, [workspace, person]);
  useEffect(() => {
    const look = () => isUnsaved(last.current) && setKept(isTextKept(person, last.current.draftId));
    window.addEventListener('storage', look);
    return () => window.removeEventListener('storage', look);
  }, [person]);
  const isLost = !isKept && isUnsaved(workspace);
  useEffect(() => {
    if (!isLost) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isLost]);
  return isKept;
}
