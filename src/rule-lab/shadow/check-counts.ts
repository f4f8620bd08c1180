import type { Label } from '../../labels/label.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { noCounts } from '../backtest/tally.ts';
import type { CheckCounts, FlipExample, FlipsBothWays, ShadowFlips, Span } from './report.ts';

/** Counts checks, and remembers when the first and the last were. */
export class CheckCounter {
  readonly #counts = { ...noCounts(), total: 0, censored: 0 };
  #first: string | null = null;
  #last: string | null = null;

  add({ created_at, action }: TriedCheck, label: Label | null): void {
    this.#counts.total += 1;
    this.#counts[label ?? 'unlabelled'] += 1;
    if (label === null && action === 'BLOCK') this.#counts.censored += 1;
    if (this.#first === null || created_at < this.#first) this.#first = created_at;
    if (this.#last === null || created_at > this.#last) this.#last = created_at;
  }

  get counts(): CheckCounts {
    return this.#counts;
  }

  get span(): Span {
    return { first: this.#first, last: this.#last };
  }
}

/** Collects flips, of which it keeps the first few whole. */
export class FlipCollector {
  readonly #examples: number;
  readonly #byAction = { BLOCK: noFlips(), ALLOW: noFlips() };

  constructor(examples: number) {
    this.#examples = examples;
  }

  add(flip: FlipExample): void {
    const flips = this.#byAction[flip.to.action];
    flips.counts[flip.label ?? 'unlabelled'] += 1;
    if (flips.examples.length < this.#examples) flips.examples.push(flip);
  }

  get flips(): FlipsBothWays {
    return { to_block: this.#byAction.BLOCK, to_allow: this.#byAction.ALLOW };
  }
}

function noFlips(): ShadowFlips & { readonly examples: FlipExample[] } {
  return { counts: noCounts(), examples: [] };
}
