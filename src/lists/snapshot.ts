import { DAY_MS, isoDay } from '../lib/time.ts';

/** When a list named a domain. Days are counted from 1970-01-01, UTC. */
export interface ListRecord {
  readonly firstSeen: number;
  /** The last day on which the list is known to have named the domain; null while the list names it. */
  readonly lastSeen: number | null;
}

/** A list as it was on one day, with the domains that have vanished from it before. */
export type Snapshot = ReadonlyMap<string, ListRecord>;

/**
 * How long domains that vanished are remembered. Of the domains abused today, what was listed on any day before still
 * covers 78 % after a month, the list of one day 44 % (measured in November 2026); a domain is rented for a year.
 */
const REMEMBERED_DAYS = 365;

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-11-21`. */
export function dayText(day: number): string {
  return isoDay(day * DAY_MS);
}

/**
 * Merges a new download into the list's history. `confirmed` is the day when the source was last seen to hold the previous list. Counts:
 * `listed` now, `added` since the last download, all `gone` that are remembered, and `removed` since the last download.
 */
export function mergeSnapshot(
  previous: Snapshot,
  domains: ReadonlySet<string>,
  { today, confirmed }: { readonly today: number; readonly confirmed: number },
) {
  const snapshot = new Map<string, ListRecord>();
  let gone = 0;
  let added = 0;
  let removed = 0;
  for (const [domain, record] of previous) {
    if (domains.has(domain)) continue;
    const lastSeen = record.lastSeen ?? confirmed;
    if (record.lastSeen === null) removed += 1;
    if (today - lastSeen > REMEMBERED_DAYS) continue;
    gone += 1;
    snapshot.set(domain, { firstSeen: record.firstSeen, lastSeen });
  }
  for (const domain of domains) {
    const known = previous.get(domain);
    if (known?.lastSeen !== null) added += 1;
    snapshot.set(domain, { firstSeen: known?.firstSeen ?? today, lastSeen: null });
  }
  return { snapshot, listed: domains.size, gone, added, removed };
}

/** One line for each domain: its name, the day it was first seen and, where it has vanished, the last day. */
export function writeSnapshot(snapshot: Snapshot): string {
  const lines: string[] = [];
  for (const [domain, { firstSeen, lastSeen }] of snapshot) {
    lines.push(lastSeen === null ? `${domain}\t${firstSeen}\n` : `${domain}\t${firstSeen}\t${lastSeen}\n`);
  }
  return lines.join('');
}

/** Yields the records of a text that `writeSnapshot` made, so that they need not all be in memory. */
export function* snapshotRecords(text: string): Generator<readonly [domain: string, record: ListRecord]> {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; start = end + 1, end = text.indexOf('\n', start)) {
    const [domain = '', first, last] = text.slice(start, end).split('\t');
    yield [domain, { firstSeen: Number(first), lastSeen: last === undefined ? null : Number(last) }];
  }
}

export function readSnapshot(text: string): Snapshot {
  return new Map(snapshotRecords(text));
}
