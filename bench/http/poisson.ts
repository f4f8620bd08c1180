/** When each of `count` random arrivals is due, in ms from the start: independent of each other, `rate` a second on average. */
export function poissonArrivals(rate: number, count: number, random: () => number): Float64Array {
  let due = 0;
  // The gaps of a Poisson process are exponentially distributed; 1 - random() is never 0, whose logarithm is infinite.
  return Float64Array.from({ length: count }, () => {
    due -= (Math.log(1 - random()) / rate) * 1000;
    return due;
  });
}
