/** The log-odds, in nats, that score 0.5: 2 of 100 people are above. The README tells on whom that was measured. */
const MIDDLE = 5;
/** Nats that take the score from 0.5 to 0.73: wide enough that 4 decimals still tell the surest from the sure. */
const WIDTH = 2;

/** From 0 to 1, ever higher with the odds; numbers that leave the process have at most 4 decimals. */
export function scoreOf(logOdds: number): number {
  return Math.round(10_000 / (1 + Math.exp((MIDDLE - logOdds) / WIDTH))) / 10_000;
}
