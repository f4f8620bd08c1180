import { useCallback } from 'react';
import { type Draft, useSaveDraft } from './queries.ts';
import { unsavedIn, type Workspace } from './workspace.ts';

/** Saves the workspace; without unsaved changes the draft is returned as it is. */
export function useSaving(workspace: Workspace, onSaved: (draft: Draft) => void) {
  const { mutateAsync, isPending, error, reset } = useSaveDraft();
  const save = useCallback(async () => {
    const { draftId: id, revision, baseDigest: base_digest } = workspace;
    const draft = await mutateAsync({ id, revision, base_digest, files: unsavedIn(workspace) });
    onSaved(draft);
    return draft;
  }, [workspace, mutateAsync, onSaved]);
  return { save, isPending, error, reset };
}

export type Saving = ReturnType<typeof useSaving>;
