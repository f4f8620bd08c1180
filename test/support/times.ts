/**
 * The number of random cases, or of repetitions under load, that a test runs: `count`, times POSTERN_TEST_TIMES. Set that to 10 for a
 * long run.
 */
export const times = (count: number): number =>
  Math.ceil(count * Number(process.env.POSTERN_TEST_TIMES || 1));
