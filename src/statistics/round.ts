/** Numbers that leave the process have at most 4 decimals; rounding here keeps records replayable. */
export function roundTo4(value: number): number {
  // Minus zero is written as 0, and read back as that.
  return Math.round(value * 10_000) / 10_000 + 0;
}
