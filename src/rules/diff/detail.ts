import { canonicalJson } from '../ruleset-hash.ts';

/** One member that is another now; null where there is none on that side. */
export interface Detail {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The members that differ, in the order of `before`. */
export function detailsOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly Detail[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }))
    .filter((detail) => canonicalJson(detail.before) !== canonicalJson(detail.after));
}

/** `2027-06-30`, the last day on which it holds. */
export function dayOf(expires: number | null): string | null {
  return expires === null ? null : new Date(expires - 1).toISOString().slice(0, 10);
}
