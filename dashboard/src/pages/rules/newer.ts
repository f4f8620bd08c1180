import type { Rules } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** What has changed since the text was made from it; null where nothing has. `gone`: the draft is not in the list. */
export type Newer = 'in_force' | 'draft' | 'gone' | null;

export function newerThan({ draftId, revision, baseDigest }: Workspace, { in_force, drafts }: Rules): Newer {
  if (draftId === null) return baseDigest === in_force.digest ? null : 'in_force';
  const summary = drafts.find(({ id }) => id === draftId);
  if (summary === undefined) return 'gone';
  if (summary.revision > revision) return 'draft';
  return summary.is_behind && baseDigest !== in_force.digest ? 'in_force' : null;
}
