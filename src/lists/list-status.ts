import { withoutPassword } from '../lib/service-url.ts';
import { counted } from '../lib/statistics.ts';
import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import type { DataList } from '../provider-kit/index.ts';
import { idOf, type ListsState } from './list-store.ts';

/** The state of one list of `lists.urls`, with the names that leave the process. */
export type ListStatus = ReturnType<typeof statusOf>[number];

export function statusOf(
  urls: readonly string[],
  { lists }: ListsState,
  { now, staleAfterHours }: { readonly now: number; readonly staleAfterHours: number },
) {
  return urls.map((url) => {
    const known = lists[url];
    const inForce = known?.snapshots[0];
    const hours = inForce ? (now - Date.parse(inForce.confirmed_at)) / HOUR_MS : null;
    // In this order: never downloaded; not confirmed within `lists.stale_after_hours`; confirmed.
    const age: 'missing' | 'stale' | 'fresh' =
      hours === null ? 'missing' : hours > staleAfterHours ? 'stale' : 'fresh';
    return {
      list: idOf(url),
      url: withoutPassword(url),
      // Held: rolled back, and not updated in the background until an update by hand.
      state: known?.rolled_back ? ('held' as const) : age,
      entries: inForce?.entries ?? 0,
      // Domains that it named within the last year and names no more.
      gone: inForce?.gone ?? 0,
      sha256: inForce?.sha256 ?? null,
      taken_at: inForce?.taken_at ?? null,
      // When its source was last seen to hold the snapshot in force.
      confirmed_at: inForce?.confirmed_at ?? null,
      age_hours: hours === null ? null : Math.round(hours * 10) / 10,
      // Domains that the list names and must not; the operator has accepted the list without them.
      left_out: known?.left_out ?? [],
      last_attempt: known?.last_attempt ?? null,
      next_attempt_at: known?.rolled_back ? null : (known?.next_attempt_at ?? null),
      // How often `lists rollback` can go back.
      earlier_snapshots: Math.max(0, (known?.snapshots.length ?? 0) - 1),
    };
  });
}

/** What is wrong with the list, in a sentence; undefined when all is well. */
export function complaintOf({ url, state, age_hours, last_attempt }: ListStatus): string | undefined {
  if (state === 'fresh') return undefined;
  const list = spokenName(url);
  if (state === 'held') return `${list} was rolled back and waits for an update by hand`;
  const what = age_hours === null ? `${list} was never downloaded` : `${list} is ${spokenAge(age_hours)} old`;
  return last_attempt?.reason ? `${what}: ${last_attempt.reason}` : what;
}

/** The list's name for people, made from its URL: "domains.txt of lists.example.org". */
export function spokenName(url: string): string {
  const { host, pathname } = new URL(url);
  const file = pathname.split('/').findLast((part) => part !== '');
  return file === undefined ? host : `${decoded(file)} of ${host}`;
}

/** Unchanged where its escapes are no UTF-8: `100%.txt`, or `b%FCcher.txt` in Latin-1. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Hours up to two days, then whole days. */
function spokenAge(hours: number): string {
  if (hours < 48) return counted(Math.floor(hours), 'hour');
  return counted(Math.floor(hours / 24), 'day');
}

/** A list that a provider answers from, with the names that leave the process. */
export function presentData([provider, list]: readonly [string, DataList], now: number) {
  const { name, version = null, date = null, entries } = list;
  const age = date === null ? Number.NaN : Math.floor((now - Date.parse(date)) / DAY_MS);
  return { provider, name, version, date, age_days: Number.isNaN(age) ? null : age, entries };
}
