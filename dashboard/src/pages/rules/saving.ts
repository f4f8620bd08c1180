import { useCallback } from 'react';
import { type Draft, useSaveDraft } from './queries.ts';
import { isUnsaved, unsavedIn, type Workspace } from './workspace.ts';

/** What is published. */
export type SavedDraft = Pick<Draft, 'id' | 'revision' | 'files'>;

/** Saves the workspace; without unsaved changes the draft is returned as it is. */
export function useSaving(workspace: Workspace, onSaved: (draft: Draft) => void) {
  const { mutateAsync, isPending, error, reset } = useSaveDraft();
  const save = useCallback(async (): Promise<SavedDraft> => {
    const { draftId: id, revision, baseDigest: base_digest, files } = workspace;
    // A save would be another revision, which others are told of.
    if (id !== null && !isUnsaved(workspace)) return { id, revision, files };
    const draft = await mutateAsync({ id, revision, base_digest, files: unsavedIn(workspace) });
    onSaved(draft);
    return draft;
  }, [workspace, mutateAsync, onSaved]);
  return { save, isPending, error, reset };
}

export type Saving = ReturnType<typeof useSaving>;
