import type { Label } from '../../labels/label.ts';
import type { Share } from '../../lib/statistics.ts';
import type { Action, Level } from '../../rules/decision.ts';
import type { Counts } from '../backtest/case.ts';
import type { Promotion } from './promotion.ts';

/** What `rules shadow --json` prints. The same records and rules give the same octets: no clock is in it. */
export interface ShadowReport {
  readonly ruleset: string;
  /** All recorded checks that were looked for, whether anything was tried beside them or not. */
  readonly checks: number;
  /** Null where no check was answered beside one. */
  readonly challenger: ChallengerReport | null;
  /** Those that were tried at other times, the latest first. */
  readonly other_challengers: readonly SeenChallenger[];
  /** The shadow rules of the directory, by id. */
  readonly rules: readonly ShadowRuleReport[];
  /** What keeps the figures from being the whole truth, in sentences. */
  readonly caveats: readonly string[];
}

/** ISO 8601, UTC: of the earliest and the latest check. */
export interface Span {
  readonly first: string | null;
  readonly last: string | null;
}

export interface SeenChallenger extends Span {
  readonly ruleset: string;
  readonly checks: number;
}

export interface ChallengerReport extends Span {
  readonly ruleset: string;
  readonly checks: CheckCounts;
  /** By the set that answered. */
  readonly answered_by: readonly { readonly ruleset: string; readonly checks: number }[];
  /** The same action. */
  readonly agreement: Share;
  readonly flips: FlipsBothWays;
  readonly scores: {
    readonly same: number;
    readonly higher: number;
    readonly lower: number;
    /** The challenger's score less the one that was answered, on average; null without a check. */
    readonly mean_difference: number | null;
  };
  /** BLOCK among the bad and among the good, of what was answered and of the challenger. */
  readonly recall: { readonly answered: Share; readonly challenger: Share };
  readonly false_positive_rate: { readonly answered: Share; readonly challenger: Share };
  /** A hit is a BLOCK of the challenger's. */
  readonly promotion: Promotion;
}

export interface CheckCounts extends Counts {
  readonly total: number;
  /** Answered BLOCK, and unlabelled: what would have become of them is not known. */
  readonly censored: number;
}

export interface ShadowRuleReport extends Span {
  readonly id: string;
  readonly group: string;
  readonly points: number;
  /** Those in which the rule was tried as it stands now. */
  readonly checks: CheckCounts;
  readonly fires: Share;
  readonly by_label: Counts;
  /** Bad among the labelled checks that it fired in; of a rule that takes points away, good. */
  readonly precision: Share;
  /** As the backtest has it. */
  readonly s_o: number | null;
  /** What it would have turned, were it live beside the rules as they stand now. */
  readonly flips: FlipsBothWays & {
    /** It fired then, and the facts that were recorded do not show it: personal ones are left out of records. */
    readonly untold: number;
  };
  /** Worth negative points: good and bad change places in the criteria. */
  readonly is_mirrored: boolean;
  readonly promotion: Promotion;
}

export interface FlipsBothWays {
  readonly to_block: ShadowFlips;
  readonly to_allow: ShadowFlips;
}

export interface ShadowFlips {
  readonly counts: Counts;
  /** The first few. */
  readonly examples: readonly FlipExample[];
}

export interface FlipExample {
  readonly id: string;
  readonly created_at: string;
  readonly domain: string | null;
  readonly label: Label | null;
  /** Without what is tried, and with it. */
  readonly from: ShownOutcome;
  readonly to: ShownOutcome;
}

export interface ShownOutcome {
  readonly action: Action;
  readonly risk_score: number;
  readonly risk_level: Level;
}
