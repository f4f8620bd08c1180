import type { Action } from '../../rules/decision.ts';
import type { RecordedCheck } from '../../storage/ports.ts';
import type { BySide } from '../backtest/case.ts';
import type { OutcomePair } from '../backtest/judge.ts';
import { type Counts, noCounts } from '../backtest/tally.ts';

/** Of each way. */
const MOST_EXAMPLES = 5;

export interface Flips {
  readonly counts: Counts;
  /** The newest. */
  readonly examples: Example[];
}

export interface Example extends Pick<RecordedCheck, 'id' | 'domain' | 'label'> {
  readonly created_at: string;
  readonly score: BySide<number>;
}

/** Checks whose action a change of lists would turn, counted by label. They are added as they came, the oldest first. */
export class FlipTally {
  readonly #flips: Record<Action, Flips> = {
    BLOCK: { counts: noCounts(), examples: [] },
    ALLOW: { counts: noCounts(), examples: [] },
  };

  add(check: Omit<Example, 'score'>, { base, candidate }: OutcomePair): void {
    if (base.action === candidate.action) return;
    const { counts, examples } = this.#flips[candidate.action];
    const { id, created_at, domain, label } = check;
    counts[label ?? 'unlabelled'] += 1;
    const score = { base: base.score, candidate: candidate.score };
    examples.unshift({ id, created_at, domain, label, score });
    examples.splice(MOST_EXAMPLES);
  }

  result() {
    return { to_block: this.#flips.BLOCK, to_allow: this.#flips.ALLOW };
  }
}
