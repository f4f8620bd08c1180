import { isoTime } from '../../lib/dates.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { Doer, RuleDraft } from '../../storage/rule-draft-store.ts';
import { totalOf } from '../backtest/tally.ts';
import type { Drafts } from './drafts.ts';
import type { ReplayAnswer, ReplayOrder, RuleBench } from './rule-bench.ts';
import type { RulesInForce } from './rules-in-force.ts';

export interface BacktestingTools {
  readonly drafts: Drafts;
  readonly bench: Pick<RuleBench, 'replay'>;
  readonly inForce: () => RulesInForce;
  readonly clock: Clock;
}

/**
 * The step before publishing: the draft as it is saved against the rules in force. What it came to is noted in the draft, for that
 * revision. Throws `draft_changed` when the draft is of another by the end.
 */
export async function backtestDraft(
  { id, revision, files }: RuleDraft,
  by: Doer,
  { days, costRatio }: Pick<ReplayOrder, 'days' | 'costRatio'>,
  { drafts, bench, inForce, clock }: BacktestingTools,
): Promise<ReplayAnswer> {
  const answer = await bench.replay(
    { base: inForce().files, candidate: files, days, costRatio },
    { asker: by.id },
  );
  if ('problems' in answer) return answer;
  const { rule_sets: sets, corpus, flips } = answer.replay;
  await drafts.noteBacktest(id, {
    revision,
    base: sets.base,
    candidate: sets.candidate,
    at: isoTime(clock.now()),
    by: by.name,
    checks: corpus.checks,
    toBlock: totalOf(flips.to_block.counts),
    toAllow: totalOf(flips.to_allow.counts),
  });
  return answer;
}
