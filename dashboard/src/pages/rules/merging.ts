import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { type Draft, draftQuery, rulesQuery, useSaveDraft } from './queries.ts';
import { changesOf, nextVersion, ofDraft, unsavedIn, type Workspace } from './workspace.ts';

/** Brings what has moved on into the text, which is not saved by that. */
export function useMerging(workspace: Workspace, onMerged: (workspace: Workspace) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (newer: 'in_force' | 'draft'): Promise<Workspace> => {
      const { draftId } = workspace;
      if (newer === 'draft' && draftId !== null) {
        const theirs = ofDraft(await client.fetchQuery({ ...draftQuery(draftId), staleTime: 0 }));
        const { files } = await merge(workspace.saved, workspace.files, draftId);
        return { ...theirs, baseDigest: workspace.baseDigest, files, version: nextVersion() };
      }
      const { files, digest } = await merge(workspace.base, workspace.files, 'in_force');
      const { in_force } = await client.fetchQuery({ ...rulesQuery, staleTime: 0 });
      const base = in_force.files;
      const saved = draftId === null ? base : workspace.saved;
      return { ...workspace, base, saved, files, baseDigest: digest ?? '', version: nextVersion() };
    },
    onSuccess: onMerged,
  });
}

/** The text of a draft that is none any more, merged with the rules in force and saved as another draft. */
export function useKeepingAsDraft({ base, files }: Workspace, onSaved: (draft: Draft) => void) {
  const client = useQueryClient();
  const { mutateAsync } = useSaveDraft();
  return useMutation({
    mutationFn: async (): Promise<Draft> => {
      const merged = await merge(base, files, 'in_force');
      const { in_force } = await client.fetchQuery({ ...rulesQuery, staleTime: 0 });
      const changes = unsavedIn({ files: merged.files, saved: in_force.files });
      return mutateAsync({ id: null, revision: 0, base_digest: merged.digest ?? '', files: changes });
    },
    onSuccess: onSaved,
  });
}

/** Only what was changed here is sent. */
function merge(before: Workspace['files'], after: Workspace['files'], theirs: string) {
  const changed = changesOf(before, after);
  const only = (files: Workspace['files']) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => changed.has(path)));
  return answerOf(
    api.POST('/dashboard/api/rules/merge', { body: { base: only(before), mine: only(after), theirs } }),
  );
}
