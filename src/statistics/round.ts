/** Numbers that leave the process have at most 4 decimals; rounding here keeps records replayable. */
export function roundTo4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
