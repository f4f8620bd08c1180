import type { RecordedChallenge } from '../../checks/check-record.ts';
import type { Label } from '../../labels/label.ts';
import { roundTo4, shareOf } from '../../lib/statistics.ts';
import { byId } from '../../lib/text.ts';
import type { CompiledPoints, RuleSet } from '../../rules/compile.ts';
import type { Action, Facts, Level, Outcome } from '../../rules/decision.ts';
import { truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { shownSpamOverOverall } from '../backtest/figures.ts';
import { noCounts, totalOf } from '../backtest/tally.ts';
import { DayTable, judgePromotion, mirrored, type PromotionCriteria, sumOfDays } from './promotion.ts';
import type {
  ChallengerReport,
  CheckCounts,
  FlipExample,
  FlipsBothWays,
  SeenChallenger,
  ShadowFlips,
  ShadowRuleReport,
  ShownOutcome,
  Span,
} from './report.ts';

/** Counts checks, and remembers when the first and the last were. */
class CheckCounter {
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
class FlipCollector {
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

/** What was answered; the table takes only what was decided. */
function answeredBy({ action, risk_score, risk_level }: TriedCheck): ShownOutcome {
  return { action: action as Action, risk_score, risk_level: risk_level as Level };
}

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

/** What one shadow rule came to, in memory that does not grow with the checks. */
export class RuleTally {
  readonly rule: CompiledPoints;
  readonly #ruleSet: RuleSet;
  readonly #without: MemoizedDecider;
  readonly #with: MemoizedDecider;
  readonly #checks = new CheckCounter();
  readonly #days = new DayTable();
  readonly #flips: FlipCollector;
  #untold = 0;

  /** `without` decides by the rules as they stand. */
  constructor(rule: CompiledPoints, ruleSet: RuleSet, without: MemoizedDecider, examples: number) {
    this.rule = rule;
    this.#ruleSet = ruleSet;
    this.#without = without;
    this.#with = new MemoizedDecider(makeLive(rule, ruleSet));
    this.#flips = new FlipCollector(examples);
  }

  /** It was tried; `facts` are those of the check where it fired, else null. */
  async add(check: TriedCheck, label: Label | null, facts: Facts | null): Promise<void> {
    this.#checks.add(check, label);
    this.#days.add(check.created_at, label, facts !== null);
    if (facts !== null) await this.#replay(check, label, facts);
  }

  /** The ledger says that it fired; what that would have changed, absorption, caps and bounds decide together. */
  async #replay({ id, created_at, domain }: TriedCheck, label: Label | null, facts: Facts): Promise<void> {
    const known = { ...facts, ...this.#ruleSet.thresholdFacts };
    if (truthOf(this.rule.condition, known).is !== 'true') {
      this.#untold += 1;
      return;
    }
    const [before, after] = [await this.#without.judge(facts), await this.#with.judge(facts)];
    if (before.action === after.action) return;
    this.#flips.add({ id, created_at, domain, label, from: shown(before), to: shown(after) });
  }

  report(criteria: PromotionCriteria): ShadowRuleReport {
    const { id, group, points } = this.rule;
    const { counts, span } = this.#checks;
    const { days } = this.#days;
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
      flips: { ...this.#flips.flips, untold: this.#untold },
      is_mirrored: isMirrored,
      promotion: judgePromotion(isMirrored ? mirrored(days) : days, criteria),
    };
  }
}

/** The set with this one of its shadow rules counting. */
function makeLive(rule: CompiledPoints, ruleSet: RuleSet): RuleSet {
  return {
    ...ruleSet,
    points: [...ruleSet.points, rule].toSorted(byId),
    shadows: ruleSet.shadows.filter(({ id }) => id !== rule.id),
  };
}

function shown({ action, score, level }: Outcome): ShownOutcome {
  return { action, risk_score: score, risk_level: level };
}
