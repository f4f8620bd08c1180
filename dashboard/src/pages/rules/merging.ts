import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { draftQuery, rulesQuery } from './queries.ts';
import { changesOf, nextVersion, ofDraft, type Workspace } from './workspace.ts';

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

/** Only what was changed here is sent. */
function merge(before: Workspace['files'], after: Workspace['files'], theirs: string) {
  const changed = changesOf(before, after);
  const only = (files: Workspace['files']) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => changed.has(path)));
  return answerOf(
    api.POST('/dashboard/api/rules/merge', { body: { base: only(before), mine: only(after), theirs } }),
  );
}
