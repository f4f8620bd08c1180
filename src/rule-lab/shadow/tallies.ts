import type { RecordedChallenge } from '../../checks/check-record.ts';
import type { Label } from '../../labels/label.ts';
import { roundTo4, shareOf } from '../../lib/statistics.ts';
import { byId } from '../../lib/text.ts';
import { type Action, type Facts, type Level, presentSummary } from '../../rules/decision.ts';
import type { NormalCondition } from '../../rules/definitions.ts';
import { openFacts, truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import { type CompiledPoints, type RuleSet, rulesOf } from '../../rules/rule-set.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { shownSpamOverOverall } from '../backtest/figures.ts';
import { type Counts, extend, noCounts, type Span, totalOf } from '../backtest/tally.ts';
import { type DayCounts, judgePromotion, mirrored, type PromotionCriteria, sumOfDays } from './promotion.ts';

export interface CheckCounts extends Counts {
  readonly total: number;
  /** Answered BLOCK, and unlabelled: what would have become of them is not known. */
  readonly censored: number;
}

/** What a tally needs of a recorded check. */
type JudgedCheck = Pick<TriedCheck, 'id' | 'created_at' | 'domain' | 'label' | 'action'>;

type ShownOutcome = ReturnType<typeof presentSummary>;

/** Without what is tried, and with it. */
type FromTo = Readonly<Record<'from' | 'to', ShownOutcome>>;

export interface ShadowFlips {
  readonly counts: Counts;
  /** The first few. */
  readonly examples: (Pick<TriedCheck, 'id' | 'created_at' | 'domain' | 'label'> & FromTo)[];
}

export type SeenChallenger = ChallengerTally['seen'];
/** A hit is a BLOCK of the challenger's. */
export type ChallengerReport = ReturnType<ChallengerTally['report']>;
export type ShadowRuleReport = ReturnType<RuleTally['report']>;

/** Counts of the checks on which a rule or set was tried: by day, hits, and actions that it would turn, with the first few of these. */
class TriedChecks {
  readonly #days = new Map<string, DayCounts>();
  readonly span: Span = { first: null, last: null };
  readonly flips = { to_block: noFlips(), to_allow: noFlips() };
  #censored = 0;

  constructor(private readonly examples: number) {}

  add({ created_at: at, action, label }: JudgedCheck, isHit: boolean): void {
    const day = at.slice(0, 10);
    const counts = this.#days.get(day) ?? { day, all: noCounts(), hits: noCounts() };
    this.#days.set(day, counts);
    counts.all[label ?? 'unlabelled'] += 1;
    if (isHit) counts.hits[label ?? 'unlabelled'] += 1;
    if (label === null && action === 'BLOCK') this.#censored += 1;
    extend(this.span, at);
  }

  addFlip({ id, created_at, domain, label }: JudgedCheck, from: ShownOutcome, to: ShownOutcome): void {
    const flips = this.flips[to.action === 'BLOCK' ? 'to_block' : 'to_allow'];
    flips.counts[label ?? 'unlabelled'] += 1;
    if (flips.examples.length < this.examples) {
      flips.examples.push({ id, created_at, domain, label, from, to });
    }
  }

  get days(): readonly DayCounts[] {
    return [...this.#days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }

  /** Checks and hits of each day, in the names that leave the process. */
  get course() {
    return this.days.map(({ day, all, hits }) => ({ day, checks: totalOf(all), hits: totalOf(hits) }));
  }

  get counts(): CheckCounts {
    const { all } = sumOfDays(this.days);
    return { ...all, total: totalOf(all), censored: this.#censored };
  }
}

function noFlips(): ShadowFlips {
  return { counts: noCounts(), examples: [] };
}

export class ChallengerTally {
  readonly #checks: TriedChecks;
  /** Checks that were answered BLOCK, by label. */
  readonly #blocked = noCounts();
  readonly #answeredBy = new Map<string, number>();
  readonly #scores = { same: 0, higher: 0, lower: 0, sum: 0 };
  #agreed = 0;

  constructor(
    private readonly ruleset: string,
    examples: number,
  ) {
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

  get seen() {
    return { ruleset: this.ruleset, checks: this.#checks.counts.total, ...this.#checks.span };
  }

  report(criteria: PromotionCriteria) {
    const { counts, span, days, flips } = this.#checks;
    const { hits } = sumOfDays(days);
    const { sum, ...scores } = this.#scores;
    const shareOfBoth = (label: Label) => ({
      answered: shareOf(this.#blocked[label], counts[label]),
      challenger: shareOf(hits[label], counts[label]),
    });
    return {
      ruleset: this.ruleset,
      ...span,
      checks: counts,
      answered_by: [...this.#answeredBy].map(([ruleset, checks]) => ({ ruleset, checks })),
      agreement: shareOf(this.#agreed, counts.total),
      flips,
      days: this.#checks.course,
      // The challenger's score against the answered one; `mean_difference` is null without a check.
      scores: { ...scores, mean_difference: counts.total === 0 ? null : roundTo4(sum / counts.total) },
      // Shares of BLOCK among the bad and among the good, as answered and by the challenger.
      recall: shareOfBoth('bad'),
      false_positive_rate: shareOfBoth('good'),
      promotion: judgePromotion(days, criteria),
    };
  }
}

export class RuleTally {
  /** All facts that the rule set reads, as null: a fact that a record lacks is unknown. */
  readonly #reads: Facts;
  readonly #others: RuleSet;
  readonly #without: MemoizedDecider;
  readonly #with: MemoizedDecider;
  readonly #checks: TriedChecks;
  #untold = 0;

  /** `without` decides by the rules as they stand. A rule that is rolled out is compared as counting for all people and for none. */
  constructor(
    private readonly rule: CompiledPoints,
    private readonly ruleSet: RuleSet,
    without: MemoizedDecider,
    examples: number,
  ) {
    const leaveOut = (rules: readonly CompiledPoints[]) => rules.filter(({ id }) => id !== rule.id);
    this.#others = { ...ruleSet, points: leaveOut(ruleSet.points), shadows: leaveOut(ruleSet.shadows) };
    this.#without = ruleSet.rollouts[rule.id] === undefined ? without : new MemoizedDecider(this.#others);
    this.#reads = Object.fromEntries(rulesOf(ruleSet).flatMap(({ reads }) => reads.map((id) => [id, null])));
    this.#with = new MemoizedDecider({
      ...this.#others,
      points: [...this.#others.points, rule].toSorted(byId),
    });
    this.#checks = new TriedChecks(examples);
  }

  /**
   * Adds a check on which the rule was tried; `stored`: the facts of the check where the rule fired, else null. Absorption, caps and bounds
   * decide together what the rule would change, so both sets are asked. Where a rule needs a fact that is not stored, the change is `untold`.
   */
  async add(check: JudgedCheck, stored: Facts | null): Promise<void> {
    this.#checks.add(check, stored !== null);
    if (stored === null) return;
    const facts = { ...this.#reads, ...stored };
    const all = { ...facts, ...this.ruleSet.constants };
    const isOpen = ({ condition }: { readonly condition: NormalCondition }) =>
      openFacts(condition, all).some((id) => stored[id] === undefined);
    const { forces, points } = this.#others;
    if (!truthOf(this.rule.condition, all) || [...forces, ...points].some(isOpen)) {
      this.#untold += 1;
      return;
    }
    const [before, after] = [await this.#without.judge(facts), await this.#with.judge(facts)];
    if (before.action !== after.action) {
      this.#checks.addFlip(check, presentSummary(before), presentSummary(after));
    }
  }

  report(criteria: PromotionCriteria) {
    const { id, group, points } = this.rule;
    const { counts, span, days, flips } = this.#checks;
    const { all, hits } = sumOfDays(days);
    const isMirrored = points < 0;
    const rollout = this.ruleSet.rollouts[id];
    return {
      id,
      group,
      points,
      // Null unless the rule is rolled out; then all figures are of the people outside.
      rollout: rollout === undefined ? null : { percent: rollout.percent },
      ...span,
      // Checks in which the rule was tried as it stands now.
      checks: counts,
      days: this.#checks.course,
      fires: shareOf(totalOf(hits), counts.total),
      by_label: hits,
      // Bad among the labelled checks that it fired in; of a rule that takes points away, good.
      precision: shareOf(isMirrored ? hits.good : hits.bad, hits.bad + hits.good),
      s_o: shownSpamOverOverall(hits, all),
      // Actions that the rule would have turned, were it live now. `untold`: it fired, and the record does not have all that rules need.
      flips: { ...flips, untold: this.#untold },
      is_mirrored: isMirrored,
      promotion: judgePromotion(isMirrored ? mirrored(days) : days, criteria),
    };
  }
}
