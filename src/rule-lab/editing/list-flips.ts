import type { Action, Facts } from '../../rules/decision.ts';
import type { RecordedCheck } from '../../storage/ports.ts';
import type { BySide, Case } from '../backtest/case.ts';
import { Judge } from '../backtest/judge.ts';
import { type ComparedSet, ruleSetsOf } from '../backtest/run-backtest.ts';
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

/** Recorded checks, the oldest first, and the rules of both sides. */
export interface EffectInputs {
  readonly sets: BySide<ComparedSet>;
  readonly corpus: Corpus;
  readonly signal?: AbortSignal | undefined;
}

/** Every flip, the newest first. Throws the signal's reason once it is aborted. */
export async function listFlips({ sets, corpus, signal }: EffectInputs): Promise<readonly Flip[]> {
  const judge = new Judge(ruleSetsOf(sets));
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

/** What a change of lists would have done to recorded checks, in the names that leave the process. */
export type ListEffect = Awaited<ReturnType<typeof judgeTouched>>;

/**
 * Judges the checks that a change of lists touches. `factsOf` returns the facts that each side decides on; null for a check that is not
 * touched, and `no_domain` for one that cannot be judged, since its record holds no domain.
 */
export async function judgeTouched(
  { sets, corpus, signal }: EffectInputs,
  factsOf: (one: Case) => Promise<BySide<Facts> | 'no_domain' | null>,
) {
  const judge = new Judge(ruleSetsOf(sets));
  const none = () => ({ counts: noCounts(), examples: [] as Example[] });
  // Counts, by label, of checks whose action flips, with the newest in each direction.
  const flips = { to_block: none(), to_allow: none() };
  let [touched, withoutDomain] = [0, 0];
  for await (const one of casesOf(corpus, signal)) {
    const facts = await factsOf(one);
    if (facts === 'no_domain') withoutDomain += 1;
    if (facts === 'no_domain' || facts === null) continue;
    touched += 1;
    const { base, candidate } = await judge.judge(facts.base, facts.candidate);
    if (base.action === candidate.action) continue;
    const { counts, examples } = flips[candidate.action === 'BLOCK' ? 'to_block' : 'to_allow'];
    const { id, createdAt, domain, label } = one;
    counts[label ?? 'unlabelled'] += 1;
    const score = { base: base.score, candidate: candidate.score };
    examples.unshift({ id, created_at: createdAt ?? '', domain, label, score });
    examples.splice(MOST_EXAMPLES);
  }
  const { checks, of, days, since } = corpus.statement;
  // Domains of entries that match no record: records hold the canonical domain.
  const unseen: readonly string[] = [];
  return { days, since, of, checks, touched, without_domain: withoutDomain, unseen, flips };
}
