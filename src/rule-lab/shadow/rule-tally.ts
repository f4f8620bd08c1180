import type { Label } from '../../labels/label.ts';
import { shareOf } from '../../lib/statistics.ts';
import { byId } from '../../rules/by-id.ts';
import type { CompiledPoints, RuleSet } from '../../rules/compile.ts';
import type { Facts, Outcome } from '../../rules/decision.ts';
import { truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { shownSpamOverOverall } from '../backtest/rule-figures.ts';
import { totalOf } from '../backtest/tally.ts';
import { CheckCounter, FlipCollector } from './check-counts.ts';
import { DayTable, mirrored, sumOfDays } from './days.ts';
import { judgePromotion, type PromotionCriteria } from './promotion.ts';
import type { ShadowRuleReport, ShownOutcome } from './report.ts';

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
