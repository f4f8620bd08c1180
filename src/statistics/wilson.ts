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
