/**
 * `count` cases of a test that draws them, or repetitions of one that breaks in upon a load. POSTERN_TEST_TIMES=10 makes it ten times as
 * many, for a long run.
 */
export const times = (count: number): number =>
  Math.ceil(count * Number(process.env.POSTERN_TEST_TIMES || 1));
