import { ExplainedError } from '../../errors.ts';
import { didYouMean } from '../../lib/did-you-mean.ts';
import { partOf, roundTo4, type Share } from '../../lib/statistics.ts';
import type { BacktestReport } from './run-backtest.ts';
import { totalOf } from './tally.ts';

/** What `--fail-on` may ask for. Null where no case tells: no case has a label of that kind. */
const MEASURED = {
  false_positives: ({ confusion, cases }) => (cases.good === 0 ? null : confusion.candidate.BLOCK.good),
  false_negatives: ({ confusion, cases }) => (cases.bad === 0 ? null : confusion.candidate.ALLOW.bad),
  new_false_positives: ({ flips, cases }) => (cases.good === 0 ? null : flips.to_block.counts.good),
  new_false_negatives: ({ flips, cases }) => (cases.bad === 0 ? null : flips.to_allow.counts.bad),
  flips: ({ flips }) => totalOf(flips.to_block.counts) + totalOf(flips.to_allow.counts),
  flips_to_block: ({ flips }) => totalOf(flips.to_block.counts),
  flips_to_allow: ({ flips }) => totalOf(flips.to_allow.counts),
  block_rate: ({ figures }) => exactly(figures.candidate.block_rate),
  false_positive_rate: ({ figures }) => exactly(figures.candidate.false_positive_rate),
  recall: ({ figures }) => exactly(figures.candidate.recall),
  precision: ({ figures }) => exactly(figures.candidate.precision),
  cases: ({ cases }) => cases.total,
} as const satisfies Readonly<Record<string, (report: BacktestReport) => number | null>>;
type Measure = keyof typeof MEASURED;

export const MEASURES = Object.keys(MEASURED) as readonly Measure[];

/** Not rounded: at a limit the last decimal decides. */
function exactly({ count, of }: Share): number | null {
  return of === 0 ? null : count / of;
}

const SHARES: readonly Measure[] = ['block_rate', 'false_positive_rate', 'recall', 'precision'];

const COMPARISONS = {
  '>=': (left: number, right: number) => left >= right,
  '<=': (left: number, right: number) => left <= right,
  '==': (left: number, right: number) => left === right,
  '!=': (left: number, right: number) => left !== right,
  '>': (left: number, right: number) => left > right,
  '<': (left: number, right: number) => left < right,
} as const;

/** One condition under which a backtest ends with 1: `false_positives > 0`, `recall < 60%`. */
export interface Policy {
  readonly text: string;
  readonly measure: Measure;
  readonly comparison: keyof typeof COMPARISONS;
  /** A share as a part of 1. */
  readonly limit: number;
}

function refused(why: string): ExplainedError {
  return new ExplainedError(`--fail-on ${why}`);
}

/** Throws an ExplainedError. */
export function parsePolicy(text: string): Policy {
  const [, name = '', comparison = '', number = '', percent] =
    /^\s*([a-z_]+)\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? [];
  if (name === '') {
    throw refused(`"${text}" is no condition: write one like "false_positives > 0" or "recall < 60%"`);
  }
  const measure = MEASURES.find((known) => known === name);
  if (measure === undefined) {
    throw refused(`"${name}" is no measure${didYouMean(name, MEASURES)}; there are ${MEASURES.join(', ')}`);
  }
  const isShare = SHARES.includes(measure);
  if (percent !== undefined && !isShare) {
    throw refused(`"${text}": ${measure} is a count, not a share: write a number of cases`);
  }
  const limit = percent === undefined ? Number(number) : partOf(Number(number));
  if (isShare && limit > 1) throw refused(`"${text}": a share is at most 1, or 100%`);
  return { text: text.trim(), measure, comparison: comparison as keyof typeof COMPARISONS, limit };
}

export type PolicyResult = ReturnType<typeof applyPolicy>;

export function applyPolicy({ text, measure, comparison, limit }: Policy, report: BacktestReport) {
  const measured = MEASURED[measure](report);
  return {
    policy: text,
    measured: measured === null ? null : roundTo4(measured),
    // Whether the condition for failure holds; null when no case tells, or a rule that counts could not be judged.
    is_breached: measured === null || !report.is_judged ? null : COMPARISONS[comparison](measured, limit),
  };
}
