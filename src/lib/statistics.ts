/** `12,345` */
export function whole(count: number): string {
  return count.toLocaleString('en');
}

/** `1 row`, `1,234 rows` */
export function counted(count: number, noun: string): string {
  return `${whole(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `+12`, `−3`, `0` */
export function signed(value: number): string {
  if (value === 0) return '0';
  return value > 0 ? `+${whole(value)}` : `−${whole(-value)}`;
}

/** `12.5 %`; a dash for null. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** Three places; a dash for null. */
export function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

/** Numbers that leave the process have at most 4 decimals; rounding here keeps records replayable. */
export function roundTo4(value: number): number {
  const rounded = Math.round(value * 10_000) / 10_000;
  // Above 1.8e304 the product is infinite, and the value has no decimals. Minus zero is written as 0, and read back as that.
  return Number.isFinite(rounded) ? rounded + 0 : value;
}

/** A share as it is reported, with its counts and its confidence interval. */
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

/** The 97.5 % point of the normal distribution: two-sided 95 %. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval: the shares, from 0 to 1, that `hits` of `of` are compatible with at 95 %. Without correction for
 * continuity. E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of the American
 * Statistical Association 22 (1927) 209-212; method 3 of R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872.
 */
export function wilson(hits: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = hits / of;
  const middle = share + Z ** 2 / (2 * of);
  const reach = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const bound = (value: number) => Math.min(1, Math.max(0, value / (1 + Z ** 2 / of)));
  return [bound(middle - reach), bound(middle + reach)];
}
