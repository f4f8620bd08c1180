import type { RulesInForce } from '../../../checks/active-policy.ts';
import { type Published, refusalOf } from '../../../rule-lab/editing/publisher.ts';
import type { ReplayAnswer, RuleTests } from '../../../rule-lab/editing/rule-jobs.ts';
import { changedFiles } from '../../../rules/compare-files.ts';
import { type Problem, presentProblem } from '../../../rules/problem.ts';
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

export function presentPublished({ is: state, ...told }: Published) {
  return { ruleset: null, version: null, faults: [], patch: null, reason: null, state, ...told };
}

/** With its end, which an editor underlines up to. */
export function presentPlaced(problem: Problem) {
  return { ...presentProblem(problem), end_column: problem.endColumn ?? null };
}

export function presentTests(tests: RuleTests) {
  const { problems, passed, failing, hash } = tests;
  return {
    problems: problems.map(presentPlaced),
    passed,
    failing: failing.map(({ name, place: { endColumn: _end, ...place }, failures }) => {
      return { name, ...place, failures };
    }),
    refusals: refusalOf(tests),
    ruleset: hash,
  };
}

/** Undefined: the replay was cancelled. */
export function presentReplay(answer: ReplayAnswer | undefined) {
  if (answer === undefined) return { state: 'given_up', replay: null, problems: [] };
  if ('replay' in answer) return { state: 'done', replay: answer.replay, problems: [] };
  return { state: 'faulty', replay: null, problems: answer.problems.map(presentPlaced) };
}
