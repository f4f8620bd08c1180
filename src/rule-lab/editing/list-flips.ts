import type { Action } from '../../rules/decision.ts';
import type { Problem } from '../../rules/problem.ts';
import type { BySide, Case } from '../backtest/case.ts';
import { Judge } from '../backtest/judge.ts';
import type { ComparedSet } from '../backtest/run-backtest.ts';
import { type Corpus, inBatches } from './replay.ts';

/** A recorded check that the candidate answers otherwise than the rules in force. */
export interface Flip extends Pick<Case, 'id' | 'domain' | 'label'> {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly from: Action;
  readonly to: Action;
  readonly score: BySide<number>;
}

/** Every flip, the newest first, or the errors that keep the candidate from being asked. */
export type FlipsAnswer = { readonly flips: readonly Flip[] } | { readonly problems: readonly Problem[] };

/** Throws the signal's reason once that is given up. */
export async function listFlips(
  sets: BySide<ComparedSet>,
  corpus: Corpus,
  signal?: AbortSignal,
): Promise<readonly Flip[]> {
  const judge = new Judge({ base: sets.base.ruleSet, candidate: sets.candidate.ruleSet });
  const flips: Flip[] = [];
  for await (const batch of inBatches(corpus, signal)) {
    for (const { id, domain, label, createdAt, facts, candidateFacts } of batch) {
      const { base, candidate } = await judge.judge(facts, candidateFacts);
      if (base.action === candidate.action || createdAt === null) continue;
      const score = { base: base.score, candidate: candidate.score };
      flips.push({ id, domain, label, createdAt, from: base.action, to: candidate.action, score });
    }
  }
  return flips.reverse();
}
