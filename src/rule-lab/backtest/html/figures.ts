import { type Share, whole } from '../../../lib/statistics.ts';

/** Between a number and its unit no line may end. */
const NARROW = '\u00a0';

/** What the sides are called, everywhere in the report. */
export const SIDE_NAMES = { base: 'in force', candidate: 'candidate' } as const;

/** `0.35 %`, `12.5 %`: two places where one would hide a difference. A dash where there is nothing to take a share of. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  return `${percentNumber(share)}${NARROW}%`;
}

/** `0.30 to 0.40 %` */
export function interval({ low, high }: Share): string {
  return `${percentNumber(low)} to ${percent(high)}`;
}

/** `1 case`, `2 cases` */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${whole(count)} ${count === 1 ? noun : many}`;
}

/** `2026-10-22 06:50`, UTC, of an ISO 8601 instant; null stays null. */
export function minute(instant: string | null): string | null {
  return instant === null ? null : instant.slice(0, 16).replace('T', ' ');
}

function percentNumber(share: number): string {
  const value = share * 100;
  return value === 0 || value === 100 ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}
