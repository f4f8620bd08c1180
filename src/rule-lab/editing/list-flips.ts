import type { Action } from '../../rules/decision.ts';
import type { RecordedCheck } from '../../storage/ports.ts';
import type { BySide, Case } from '../backtest/case.ts';
import { Judge, type OutcomePair } from '../backtest/judge.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import { noCounts } from '../backtest/tally.ts';
import { type Corpus, casesOf } from './replay.ts';

/** A recorded check that the candidate answers otherwise than the rules in force. */
export interface Flip extends Pick<Case, 'id' | 'domain' | 'label'> {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly from: Action;
  readonly to: Action;
  readonly score: BySide<number>;
}

/** Every flip, the newest first. Throws the signal's reason once it is aborted. */
export async function listFlips(
  sets: BySide<ComparedSet>,
  corpus: Corpus,
  signal?: AbortSignal,
): Promise<readonly Flip[]> {
  const judge = new Judge({ base: sets.base.ruleSet, candidate: sets.candidate.ruleSet });
  const flips: Flip[] = [];
  for await (const { id, domain, label, createdAt, facts, candidateFacts } of casesOf(corpus, signal)) {
    const { base, candidate } = await judge.judge(facts, candidateFacts);
    if (base.action === candidate.action || createdAt === null) continue;
    const score = { base: base.score, candidate: candidate.score };
    flips.push({ id, domain, label, createdAt, from: base.action, to: candidate.action, score });
  }
  return flips.reverse();
}

/** Examples in each direction. */
const MOST_EXAMPLES = 5;

export interface Example extends Pick<RecordedCheck, 'id' | 'domain' | 'label'> {
  readonly created_at: string;
  readonly score: BySide<number>;
}

/** No flips yet: counts, by label, of checks whose action a change of lists flips, with the newest in each direction. */
export function noFlips() {
  const none = () => ({ counts: noCounts(), examples: [] as Example[] });
  return { to_block: none(), to_allow: none() };
}

/** Flips must be added the oldest first. */
export function addFlip(
  flips: ReturnType<typeof noFlips>,
  { id, created_at, domain, label }: Omit<Example, 'score'>,
  { base, candidate }: OutcomePair,
): void {
  if (base.action === candidate.action) return;
  const { counts, examples } = flips[candidate.action === 'BLOCK' ? 'to_block' : 'to_allow'];
  counts[label ?? 'unlabelled'] += 1;
  const score = { base: base.score, candidate: candidate.score };
  examples.unshift({ id, created_at, domain, label, score });
  examples.splice(MOST_EXAMPLES);
}
