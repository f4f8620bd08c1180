import type { Label } from '../../labels/label.ts';
import type { Share } from '../../lib/statistics.ts';
import type { Action, LedgerEntry, Level } from '../../rules/decision.ts';
import type { BySide, Counts } from './case.ts';

/** What `rules backtest --json` prints. The same cases and sets give the same octets: no clock is in it. */
export interface BacktestReport {
  readonly rule_sets: BySide<{ readonly directory: string; readonly ruleset: string }>;
  readonly source: Source;
  readonly cases: CaseCounts;
  /** What keeps the figures from being the whole truth, in sentences. */
  readonly caveats: readonly string[];
  /** By action, then by label. */
  readonly confusion: BySide<Readonly<Record<Action, Counts>>>;
  readonly figures: BySide<Figures>;
  readonly levels: BySide<Readonly<Record<Level, number>>>;
  readonly flips: { readonly to_block: Flips; readonly to_allow: Flips };
  /** By id; a rule of one side only has null for the other. */
  readonly rules: readonly RuleFigures[];
  /** By score, 0 to 100, then by label. */
  readonly scores: BySide<readonly Counts[]>;
  readonly sweep: BySide<Sweep>;
}

export interface Source {
  readonly kind: 'recorded' | 'file';
  /** The database, or the file. */
  readonly name: string;
  /** ISO 8601, UTC: of the earliest and the latest case; null where cases have no time. */
  readonly first: string | null;
  readonly last: string | null;
}

interface CaseCounts extends Counts {
  readonly total: number;
  /** Answered BLOCK when they were recorded, and unlabelled: what would have become of them is not known. */
  readonly censored: number;
  /** Cases that the rules in force had decided, decided again: `differing` above 0 is a bug or a damaged record. */
  readonly replayed: { readonly same: number; readonly differing: number };
}

/** Shares of labelled cases, but for `block_rate`. */
export interface Figures {
  /** Of all cases, labelled or not. */
  readonly block_rate: Share;
  /** BLOCK among the good: customers turned away. */
  readonly false_positive_rate: Share;
  /** BLOCK among all bad. */
  readonly recall: Share;
  /** Bad among the labelled that are BLOCK. */
  readonly precision: Share;
}

export interface Flips {
  readonly counts: Counts;
  /** The largest first. */
  readonly groups: readonly FlipGroup[];
}

/** Cases that flip for the same reason. */
export interface FlipGroup {
  readonly counts: Counts;
  readonly score: BySide<number>;
  /** What the candidate adds and takes away, in the ids of rules; equal sets mean that points, caps or thresholds moved. */
  readonly fired: { readonly only_base: readonly string[]; readonly only_candidate: readonly string[] };
  readonly examples: readonly FlipExample[];
}

export interface FlipExample {
  readonly id: string;
  readonly created_at: string | null;
  readonly domain: string | null;
  readonly label: Label | null;
  readonly ledger: BySide<readonly LedgerEntry[]>;
}

export interface RuleFigures {
  readonly id: string;
  readonly kind: 'points' | 'force';
  readonly base: RuleSideFigures | null;
  readonly candidate: RuleSideFigures | null;
}

/** A rule within one set, on all cases. */
export interface RuleSideFigures {
  readonly mode: 'live' | 'shadow';
  /** Null for a forced action. */
  readonly points: number | null;
  readonly fires: Share;
  readonly by_label: Counts;
  /** Bad among the labelled cases that it fires on. */
  readonly precision: Share;
  /**
   * SpamAssassin's S/O: the rate of hits among the bad over the sum of the rates among the bad and the good, so that it does
   * not hang on how many of each there are. Null without both labels or without a hit.
   */
  readonly s_o: number | null;
  /** Cases whose action would be the other one without it; of a shadow rule, with it. */
  readonly decisive: Counts;
  /** ISO 8601, UTC: of the latest case that it fires on; null where it fires on none, or cases have no time. */
  readonly last_fired: string | null;
  /** Cases that no other rule with points fires on. */
  readonly unique: Counts;
  /** Cases on which unknown facts left it open. */
  readonly stood_aside: number;
}

/** BLOCK from each score on, forced actions as they are. */
export interface Sweep {
  /** Area under the ROC curve of the score: the chance that a bad case scores above a good one, ties half; null without both. */
  readonly auc: number | null;
  /** The score from which the set blocks now; null when its action is no threshold on the score. */
  readonly threshold: number | null;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly cost_ratio: number;
  /** The threshold of least cost, the highest of equals; null without both labels. */
  readonly cheapest: number | null;
  /** For thresholds 0 to 101; 101 blocks nothing. */
  readonly points: readonly SweepPoint[];
}

export interface SweepPoint {
  readonly threshold: number;
  /** Cases that are BLOCK then. */
  readonly blocked: Counts;
  /** Per labelled case, in costs of one bad signup let in; null without both labels. */
  readonly cost: number | null;
}

/** What `--fail-on` may ask for; `fail-on.ts` says what each is. */
export const MEASURES = [
  'false_positives',
  'false_negatives',
  'new_false_positives',
  'new_false_negatives',
  'flips',
  'flips_to_block',
  'flips_to_allow',
  'block_rate',
  'false_positive_rate',
  'recall',
  'precision',
  'cases',
] as const;
export type Measure = (typeof MEASURES)[number];
