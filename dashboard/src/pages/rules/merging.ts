import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { draftQuery, rulesQuery, useSaveDraft } from './queries.ts';
import { changesOf, nextVersion, ofDraft, unsavedIn, type Workspace } from './workspace.ts';

/** `merged` is `mine` with the newer rules or draft in it. */
export interface Merged {
  readonly mine: Workspace;
  readonly merged: Workspace;
}

/** Merges the newer rules in force, or the newer draft, into the text; saves nothing. */
export function useMerging(workspace: Workspace, onMerged: (merged: Merged) => void) {
  const client = useQueryClient();
  const ofLatest = useLatest(workspace);
  return useMutation({
    mutationFn: (newer: 'in_force' | 'draft'): Promise<Merged> =>
      ofLatest(workspace, async (mine) => ({ mine, merged: await mergeInto(mine, newer) })),
    onSuccess: onMerged,
  });

  async function mergeInto(mine: Workspace, newer: 'in_force' | 'draft'): Promise<Workspace> {
    const { draftId } = mine;
    if (newer === 'draft' && draftId !== null) {
      const theirs = ofDraft(await client.fetchQuery({ ...draftQuery(draftId), staleTime: 0 }));
      const { files } = await merge(mine.saved, mine.files, draftId);
      return { ...theirs, baseDigest: mine.baseDigest, files, version: nextVersion() };
    }
    const { files, digest } = await merge(mine.base, mine.files, 'in_force');
    const { in_force } = await client.fetchQuery({ ...rulesQuery, staleTime: 0 });
    const base = in_force.files;
    const saved = draftId === null ? base : mine.saved;
    return { ...mine, base, saved, files, baseDigest: digest ?? '', version: nextVersion() };
  }
}

/** Saves the text of a draft that was published or discarded as another draft, merged with the rules in force. */
export function useKeepingAsDraft(workspace: Workspace, onSaved: (merged: Merged) => void) {
  const client = useQueryClient();
  const ofLatest = useLatest(workspace);
  const { mutateAsync } = useSaveDraft();
  return useMutation({
    mutationFn: async (): Promise<Merged> => {
      const { base, files } = workspace;
      const merged = await merge(base, files, 'in_force');
      const { in_force } = await client.fetchQuery({ ...rulesQuery, staleTime: 0 });
      const changes = unsavedIn({ files: merged.files, saved: in_force.files });
      const order = { id: null, revision: 0, base_digest: merged.digest ?? '', files: changes };
      const draft = ofDraft(await mutateAsync(order));
      return ofLatest(workspace, async (mine) => ({
        mine,
        merged:
          mine === workspace
            ? draft
            : { ...draft, files: (await merge(files, mine.files, draft.draftId ?? '')).files },
      }));
    },
    onSuccess: onSaved,
  });
}

/** Runs `work` on a text, and again where the person typed on meanwhile; not where another draft was opened. */
function useLatest(workspace: Workspace) {
  const latest = useRef(workspace);
  useEffect(() => {
    latest.current = workspace;
  }, [workspace]);
  return async <Result>(first: Workspace, work: (text: Workspace) => Promise<Result>): Promise<Result> => {
    for (let text = first; ; text = latest.current) {
      const result = await work(text);
      if (text === latest.current || text.draftId !== latest.current.draftId) return result;
    }
  };
}

/** Sends only the files that were changed here. */
function merge(before: Workspace['files'], after: Workspace['files'], theirs: string) {
  const changed = changesOf(before, after);
  const only = (files: Workspace['files']) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => changed.has(path)));
  return answerOf(
    api.POST('/dashboard/api/rules/merge', { body: { base: only(before), mine: only(after), theirs } }),
  );
}
