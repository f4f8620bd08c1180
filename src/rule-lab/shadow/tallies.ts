import type { RecordedChallenge } from '../../checks/check-record.ts';
import type { Label } from '../../labels/label.ts';
import { roundTo4, shareOf } from '../../lib/statistics.ts';
import { byId } from '../../lib/text.ts';
import type { Action, Facts, Level, Outcome } from '../../rules/decision.ts';
import { truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import type { CompiledPoints, RuleSet } from '../../rules/rule-set.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { shownSpamOverOverall } from '../backtest/figures.ts';
import { noCounts, totalOf } from '../backtest/tally.ts';
import { type DayCounts, judgePromotion, mirrored, type PromotionCriteria, sumOfDays } from './promotion.ts';
import type {
  ChallengerReport,
  CheckCounts,
  FlipExample,
  SeenChallenger,
  ShadowFlips,
  ShadowRuleReport,
  ShownOutcome,
} from './report.ts';

/** The checks on which something was tried, by day, those that it hit, and those that it would turn, of which the first few are kept. */
class TriedChecks {
  readonly #examples: number;
  readonly #days = new Map<string, DayCounts>();
  readonly span: { first: string | null; last: string | null } = { first: null, last: null };
  readonly flips = { to_block: noFlips(), to_allow: noFlips() };
  #censored = 0;

  constructor(examples: number) {
    this.#examples = examples;
  }

  add({ created_at: at, action, label }: TriedCheck, isHit: boolean): void {
    const day = at.slice(0, 10);
    const counts = this.#days.get(day) ?? { day, all: noCounts(), hits: noCounts() };
    this.#days.set(day, counts);
    counts.all[label ?? 'unlabelled'] += 1;
    if (isHit) counts.hits[label ?? 'unlabelled'] += 1;
    if (label === null && action === 'BLOCK') this.#censored += 1;
    if (this.span.first === null || at < this.span.first) this.span.first = at;
    if (this.span.last === null || at > this.span.last) this.span.last = at;
  }

  addFlip({ id, created_at, domain, label }: TriedCheck, from: ShownOutcome, to: ShownOutcome): void {
    const flips = this.flips[to.action === 'BLOCK' ? 'to_block' : 'to_allow'];
    flips.counts[label ?? 'unlabelled'] += 1;
    if (flips.examples.length < this.#examples) {
      flips.examples.push({ id, created_at, domain, label, from, to });
    }
  }

  /** From the first to the last. */
  get days(): readonly DayCounts[] {
    return [...this.#days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }

  get counts(): CheckCounts {
    const { all } = sumOfDays(this.days);
    return { ...all, total: totalOf(all), censored: this.#censored };
  }
}

function noFlips(): ShadowFlips & { readonly examples: FlipExample[] } {
  return { counts: noCounts(), examples: [] };
}

/** What one challenger came to. */
export class ChallengerTally {
  readonly #ruleset: string;
  /** Hits are BLOCK of the challenger's. */
  readonly #checks: TriedChecks;
  /** BLOCK that was answered. */
  readonly #blocked = noCounts();
  readonly #answeredBy = new Map<string, number>();
  readonly #scores = { same: 0, higher: 0, lower: 0, sum: 0 };
  #agreed = 0;

  constructor(ruleset: string, examples: number) {
    this.#ruleset = ruleset;
    this.#checks = new TriedChecks(examples);
  }

  add(check: TriedCheck, { action, risk_score, risk_level }: RecordedChallenge): void {
    const { ruleset, label } = check;
    this.#checks.add(check, action === 'BLOCK');
    if (check.action === 'BLOCK') this.#blocked[label ?? 'unlabelled'] += 1;
    this.#answeredBy.set(ruleset, (this.#answeredBy.get(ruleset) ?? 0) + 1);
    const difference = risk_score - check.risk_score;
    this.#scores.sum += difference;
    if (difference === 0) this.#scores.same += 1;
    else this.#scores[difference > 0 ? 'higher' : 'lower'] += 1;
    if (action === check.action) {
      this.#agreed += 1;
      return;
    }
    // The table takes only what was decided.
    const from = {
      action: check.action as Action,
      risk_score: check.risk_score,
      risk_level: check.risk_level as Level,
    };
    this.#checks.addFlip(check, from, { action, risk_score, risk_level });
  }

  get seen(): SeenChallenger {
    return { ruleset: this.#ruleset, checks: this.#checks.counts.total, ...this.#checks.span };
  }

  report(criteria: PromotionCriteria): ChallengerReport {
    const { counts, span, days, flips } = this.#checks;
    const { hits } = sumOfDays(days);
    const { sum, ...scores } = this.#scores;
    const shareOfBoth = (label: Label) => ({
      answered: shareOf(this.#blocked[label], counts[label]),
      challenger: shareOf(hits[label], counts[label]),
    });
    return {
      ruleset: this.#ruleset,
      ...span,
      checks: counts,
      answered_by: [...this.#answeredBy].map(([ruleset, checks]) => ({ ruleset, checks })),
      agreement: shareOf(this.#agreed, counts.total),
      flips,
      scores: { ...scores, mean_difference: counts.total === 0 ? null : roundTo4(sum / counts.total) },
      recall: shareOfBoth('bad'),
      false_positive_rate: shareOfBoth('good'),
      promotion: judgePromotion(days, criteria),
    };
  }
}

/** What one shadow rule came to. */
export class RuleTally {
  readonly #rule: CompiledPoints;
  readonly #ruleSet: RuleSet;
  readonly #without: MemoizedDecider;
  readonly #with: MemoizedDecider;
  readonly #checks: TriedChecks;
  #untold = 0;

  /** `without` decides by the rules as they stand. */
  constructor(rule: CompiledPoints, ruleSet: RuleSet, without: MemoizedDecider, examples: number) {
    this.#rule = rule;
    this.#ruleSet = ruleSet;
    this.#without = without;
    this.#with = new MemoizedDecider({
      ...ruleSet,
      points: [...ruleSet.points, rule].toSorted(byId),
      shadows: ruleSet.shadows.filter(({ id }) => id !== rule.id),
    });
    this.#checks = new TriedChecks(examples);
  }

  /**
   * It was tried; `facts` are those of the check where its ledger says that it fired, else null. What that would have changed, absorption,
   * caps and bounds decide together, so both sets are asked.
   */
  async add(check: TriedCheck, facts: Facts | null): Promise<void> {
    this.#checks.add(check, facts !== null);
    if (facts === null) return;
    if (!truthOf(this.#rule.condition, { ...facts, ...this.#ruleSet.thresholdFacts })) {
      this.#untold += 1;
      return;
    }
    const [before, after] = [await this.#without.judge(facts), await this.#with.judge(facts)];
    if (before.action !== after.action) this.#checks.addFlip(check, shown(before), shown(after));
  }

  report(criteria: PromotionCriteria): ShadowRuleReport {
    const { id, group, points } = this.#rule;
    const { counts, span, days, flips } = this.#checks;
    const { all, hits } = sumOfDays(days);
    const isMirrored = points < 0;
    return {
      id,
      group,
      points,
      ...span,
      checks: counts,
      fires: shareOf(totalOf(hits), counts.total),
      by_label: hits,
      precision: shareOf(isMirrored ? hits.good : hits.bad, hits.bad + hits.good),
      s_o: shownSpamOverOverall(hits, all),
      flips: { ...flips, untold: this.#untold },
      is_mirrored: isMirrored,
      promotion: judgePromotion(isMirrored ? mirrored(days) : days, criteria),
    };
  }
}

function shown({ action, score, level }: Outcome): ShownOutcome {
  return { action, risk_score: score, risk_level: level };
}
