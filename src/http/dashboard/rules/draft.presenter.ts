import type { RulesInForce } from '../../../checks/active-policy.ts';
import type { Published } from '../../../rule-lab/editing/publisher.ts';
import { changedFiles } from '../../../rules/compare-files.ts';
import type { RuleDraft } from '../../../storage/rule-ports.ts';

export function presentDraftSummary(draft: RuleDraft, inForce: RulesInForce) {
  const { id, name, author, createdAt, savedBy, savedAt, revision, base, files, backtest } = draft;
  return {
    id,
    name,
    author,
    created_at: createdAt,
    saved_by: savedBy,
    saved_at: savedAt,
    revision,
    base: base.hash,
    is_behind: base.digest !== inForce.digest,
    changed_files: changedFiles(base.files, files),
    backtest: backtest && presentBacktest(backtest),
  };
}

export function presentDraft(draft: RuleDraft, inForce: RulesInForce) {
  return { ...presentDraftSummary(draft, inForce), base_files: draft.base.files, files: draft.files };
}

function presentBacktest({ toBlock, toAllow, ...rest }: NonNullable<RuleDraft['backtest']>) {
  return { ...rest, to_block: toBlock, to_allow: toAllow };
}

export function presentPublished(published: Published) {
  const none = { ruleset: null, version: null, faults: [], patch: null, reason: null };
  switch (published.is) {
    case 'in_force':
      return { ...none, state: published.is, ruleset: published.hash, version: published.version };
    case 'refused':
      return { ...none, state: published.is, faults: published.faults };
    case 'patch':
      return { ...none, state: published.is, patch: published.patch, reason: published.reason };
  }
}
