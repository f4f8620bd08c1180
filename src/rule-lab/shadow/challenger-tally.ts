import type { RecordedChallenge } from '../../checks/check-record.ts';
import type { Label } from '../../labels/label.ts';
import { roundTo4, shareOf } from '../../lib/statistics.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { CheckCounter, FlipCollector } from './check-counts.ts';
import { DayTable, sumOfDays } from './days.ts';
import { judgePromotion, type PromotionCriteria } from './promotion.ts';
import type { ChallengerReport, SeenChallenger } from './report.ts';
import { answeredBy } from './shown-outcome.ts';

/** What one challenger came to, in memory that does not grow with the checks. */
export class ChallengerTally {
  readonly #ruleset: string;
  readonly #checks = new CheckCounter();
  readonly #flips: FlipCollector;
  /** Hits are BLOCK, of the challenger and of what was answered. */
  readonly #blocks = new DayTable();
  readonly #answered = new DayTable();
  readonly #answeredBy = new Map<string, number>();
  readonly #scores = { same: 0, higher: 0, lower: 0, sum: 0 };
  #agreed = 0;

  constructor(ruleset: string, examples: number) {
    this.#ruleset = ruleset;
    this.#flips = new FlipCollector(examples);
  }

  add(check: TriedCheck, challenge: RecordedChallenge, label: Label | null): void {
    const { id, created_at, domain, ruleset } = check;
    const from = answeredBy(check);
    this.#checks.add(check, label);
    this.#answeredBy.set(ruleset, (this.#answeredBy.get(ruleset) ?? 0) + 1);
    this.#blocks.add(created_at, label, challenge.action === 'BLOCK');
    this.#answered.add(created_at, label, from.action === 'BLOCK');
    const difference = challenge.risk_score - from.risk_score;
    this.#scores.sum += difference;
    if (difference === 0) this.#scores.same += 1;
    else this.#scores[difference > 0 ? 'higher' : 'lower'] += 1;
    if (challenge.action === from.action) {
      this.#agreed += 1;
      return;
    }
    const { action, risk_score, risk_level } = challenge;
    this.#flips.add({ id, created_at, domain, label, from, to: { action, risk_score, risk_level } });
  }

  get seen(): SeenChallenger {
    return { ruleset: this.#ruleset, checks: this.#checks.counts.total, ...this.#checks.span };
  }

  report(criteria: PromotionCriteria): ChallengerReport {
    const { counts, span } = this.#checks;
    const { same, higher, lower, sum } = this.#scores;
    const answered = sumOfDays(this.#answered.days);
    const blocked = sumOfDays(this.#blocks.days);
    const shareOfBoth = (label: Label) => ({
      answered: shareOf(answered.hits[label], counts[label]),
      challenger: shareOf(blocked.hits[label], counts[label]),
    });
    return {
      ruleset: this.#ruleset,
      ...span,
      checks: counts,
      answered_by: [...this.#answeredBy].map(([ruleset, checks]) => ({ ruleset, checks })),
      agreement: shareOf(this.#agreed, counts.total),
      flips: this.#flips.flips,
      scores: {
        same,
        higher,
        lower,
        mean_difference: counts.total === 0 ? null : roundTo4(sum / counts.total),
      },
      recall: shareOfBoth('bad'),
      false_positive_rate: shareOfBoth('good'),
      promotion: judgePromotion(this.#blocks.days, criteria),
    };
  }
}
