import type { Overview } from '../../api/overview.ts';
import { lengthOf, type Range } from '../../format/ranges.ts';
import { STEP_MS, sumOf } from './decisions.ts';

/** An overview of as long a time before, and what that time is called: "the 24 hours before". */
export interface Before {
  readonly overview: Overview;
  readonly period: string;
}

/** "the 24 hours before"; a length that is no whole number of hours or days has no number. */
export function periodBefore(range: Range): string {
  const length = lengthOf(range);
  const [unit, ms] =
    length % STEP_MS.day === 0 && length > STEP_MS.day ? ['day', STEP_MS.day] : ['hour', STEP_MS.hour];
  if (length % ms !== 0) return 'as long a time before';
  return length === ms ? `the ${unit} before` : `the ${length / ms} ${unit}s before`;
}

/** "+12 % against the 24 hours before", of a figure that may be any size; undefined where one of them is not known. */
export function compareAmounts(
  now: number | null,
  before: number | null,
  period: string,
): string | undefined {
  if (now === null || before === null) return undefined;
  if (before === 0) return `none in ${period}`;
  return `${signed(Math.round((now / before - 1) * 100), '%')} against ${period}`;
}

/** "+2.1 points against the 24 hours before", of shares from 0 to 1: percentages of percentages mislead. */
export function compareShares(now: number, before: number, period: string): string {
  return `${signed(Math.round((now - before) * 1000) / 10, 'points')} against ${period}`;
}

/** With a true minus sign; a value of 0 has ±. */
function signed(value: number, unit: string): string {
  const sign = value === 0 ? '±' : value > 0 ? '+' : '−';
  const digits = Math.abs(value).toLocaleString('en');
  return `${sign}${digits} ${unit}`;
}

/** For each period the checks of the period at the same place in the overview before. */
export function checksBefore(
  begins: readonly string[],
  { since, bucket }: Pick<Overview, 'since' | 'bucket'>,
  before: Pick<Overview, 'since' | 'buckets'>,
): readonly number[] {
  const step = STEP_MS[bucket];
  const shift = Math.round((Date.parse(since) - Date.parse(before.since)) / step) * step;
  const known = new Map(before.buckets.map((one) => [Date.parse(one.begins_at), sumOf(one.decisions)]));
  return begins.map((at) => known.get(Date.parse(at) - shift) ?? 0);
}
