import { roundTo4 } from './round.ts';
import { wilson } from './wilson.ts';

/** A share as it is reported: what was counted, and which shares that is compatible with. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** From 0 to 1, four decimals; null when there is nothing to take a share of. */
  readonly share: number | null;
  /** Wilson's interval at 95 %; from 0 to 1 when there is nothing to take a share of. */
  readonly low: number;
  readonly high: number;
}

export function shareOf(count: number, of: number): Share {
  const [low, high] = wilson(count, of);
  return {
    count,
    of,
    share: of === 0 ? null : roundTo4(count / of),
    low: roundTo4(low),
    high: roundTo4(high),
  };
}

/** Per cent as a part of 1: 0.35 % is 0.0035, which 0.35 / 100 in binary numbers is not. */
export function partOf(percent: number): number {
  return Number((percent / 100).toPrecision(15));
}
