import { HOUR_MS, isoTime } from '../lib/time.ts';

/** An hour in UTC, written as the prefix of every instant in it: `2026-11-20T10`. */
export type Hour = string;

/** Checks of an hour may still be on their way to the disk for so long after it. */
const SETTLED_AFTER_MS = 120_000;

export function hourOf(instant: string): Hour {
  return instant.slice(0, 13);
}

export function nextHour(hour: Hour): Hour {
  return hourOf(isoTime(Date.parse(`${hour}:00:00Z`) + HOUR_MS));
}

/** The first hour that is not over, or for which more checks are expected. All hours before it are settled. */
export function firstUnsettled(now: number): Hour {
  return hourOf(isoTime(now - SETTLED_AFTER_MS));
}

/** From `since` up to but not including `until`; ISO 8601 in UTC. */
export interface Range {
  readonly since: string;
  readonly until: string;
}

/** Whether every instant of the hour is in the range. */
export function holds({ since, until }: Range, hour: Hour): boolean {
  return since <= `${hour}:00:00.000Z` && `${nextHour(hour)}:00:00.000Z` <= until;
}
