import type { Usage } from '../../api/keys.ts';

const DAY_MS = 86_400_000;

/** The days of the chart. */
export const DAYS_SHOWN = 30;

/** The first day that the page asks for: covers the days of the chart and the whole month of the quota. */
export function firstDayAsked(now: number): string {
  const date = new Date(now);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return dayOf(Math.min(month, now - (DAYS_SHOWN - 1) * DAY_MS));
}

/** The first day that covers as many days before the chart, too. */
export function firstDayBefore(now: number): string {
  return dayOf(now - (2 * DAYS_SHOWN - 1) * DAY_MS);
}

/** The last days, today included; those without a check too. */
export function daysUpTo(now: number): readonly string[] {
  return Array.from({ length: DAYS_SHOWN }, (_, n) => dayOf(now - (DAYS_SHOWN - 1 - n) * DAY_MS));
}

export interface KeyFigures {
  readonly thisMonth: number;
  /** Checks of each day of the chart. */
  readonly byDay: readonly number[];
  /** Within the days that were asked for; null for none. */
  readonly lastUsedAt: string | null;
}

/** What one key was used for. */
export function figuresOf(usage: Usage, keyId: string, now: number): KeyFigures {
  const month = dayOf(now).slice(0, 7);
  const byDay = new Map(usage.days.map(({ day, keys }) => [day, keys[keyId] ?? 0]));
  const ofMonth = usage.days.filter(({ day }) => day.startsWith(month));
  return {
    thisMonth: ofMonth.reduce((sum, { keys }) => sum + (keys[keyId] ?? 0), 0),
    byDay: daysUpTo(now).map((day) => byDay.get(day) ?? 0),
    lastUsedAt: usage.keys.find(({ key_id }) => key_id === keyId)?.last_used_at ?? null,
  };
}

/** Live checks of each day of the chart. */
export function liveByDay(usage: Pick<Usage, 'days'>, now: number): readonly number[] {
  const byDay = new Map(usage.days.map(({ day, live }) => [day, live]));
  return daysUpTo(now).map((day) => byDay.get(day) ?? 0);
}

/** Live checks of the days before the chart, each at the place of the day DAYS_SHOWN days later. */
export function liveByDayBefore(usage: Pick<Usage, 'days'>, now: number): readonly number[] {
  return liveByDay(usage, now - DAYS_SHOWN * DAY_MS);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
