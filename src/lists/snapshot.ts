import { DAY_MS } from '../lib/time.ts';

/** What a list has said of a domain over time. Days are counted from 1970-01-01, UTC. */
export interface ListRecord {
  readonly firstSeen: number;
  /** The last day on which the list is known to have named it; null while it does. */
  readonly lastSeen: number | null;
}

/** A list as it was on one day, with what has vanished from it before. */
export type Snapshot = ReadonlyMap<string, ListRecord>;

export type Merge = ReturnType<typeof mergeSnapshot>;

/**
 * What vanished is remembered for this long. Of the domains abused today, what was listed on any day before still
 * covers 78 % after a month, the list of one day 44 % (measured in November 2026); a domain is rented for a year.
 */
const REMEMBERED_DAYS = 365;

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-11-21`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Puts a new download on top of the list's history. `confirmed` is the day of the last look at the list before. Counts the domains that
 * are listed now, and of these those added since the last time; all that are gone, and of these those removed since then.
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

/** One line for each domain: its name, the day it was first seen and, of one that has vanished, the last. */
export function writeSnapshot(snapshot: Snapshot): string {
  const lines: string[] = [];
  for (const [domain, { firstSeen, lastSeen }] of snapshot) {
    lines.push(lastSeen === null ? `${domain}\t${firstSeen}\n` : `${domain}\t${firstSeen}\t${lastSeen}\n`);
  }
  return lines.join('');
}

/** The records one after the other, so that they need not all be held. The text is one that `writeSnapshot` made. */
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
