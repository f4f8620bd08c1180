import { useCallback, useEffect, useRef } from 'react';
import { type Draft, useSaveDraft } from './queries.ts';
import { keepTypedOn } from './unsaved-text.ts';
import { isUnsaved, unsavedIn, type Workspace } from './workspace.ts';

/** The parts of a saved draft that publishing needs. */
export type SavedDraft = Pick<Draft, 'id' | 'revision' | 'files'>;

/** Saves the workspace; without unsaved changes the draft is returned as it is. */
export function useSaving(workspace: Workspace, person: string, onSaved: (draft: Draft) => void) {
  const { mutateAsync, isPending, error, reset } = useSaveDraft();
  const { draftId } = workspace;
  /** The draft that is open; undefined once the page is left. */
  const open = useRef<string | null>(undefined);
  useEffect(() => {
    open.current = draftId;
    return () => {
      open.current = undefined;
    };
  }, [draftId]);
  const save = useCallback(async (): Promise<SavedDraft> => {
    const { draftId: id, revision, baseDigest: base_digest, files } = workspace;
    // A save without changes would still make a revision, which others are told of.
    if (id !== null && !isUnsaved(workspace)) return { id, revision, files };
    const draft = await mutateAsync({ id, revision, base_digest, files: unsavedIn(workspace) });
    // By the time of the answer another text may be open, or another page.
    if (open.current === id) onSaved(draft);
    else keepTypedOn(person, workspace, draft);
    return draft;
  }, [workspace, person, mutateAsync, onSaved]);
  return { save, isPending, error, reset };
}

export type Saving = ReturnType<typeof useSaving>;
