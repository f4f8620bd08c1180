import { entryKey } from '../canonical-entry.ts';
import { type DatedListEntry, isExpired } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import { show } from './declared.ts';

/** Entries that say the same twice, say opposite things, or no longer say anything. */
export function checkLists(
  allow: readonly DatedListEntry[],
  deny: readonly DatedListEntry[],
  now: number,
  problems: ProblemList,
): void {
  const allowed = indexList(allow, now, problems);
  const denied = indexList(deny, now, problems);
  for (const [value, entry] of denied) {
    const other = allowed.get(value);
    if (other) {
      const message = `"${entry.value}" is also allowed, at ${show(other.place)}: at equal rank ALLOW wins`;
      problems.report('forced_clash', entry.place, message);
    }
  }
}

function indexList(
  entries: readonly DatedListEntry[],
  now: number,
  problems: ProblemList,
): ReadonlyMap<string, DatedListEntry> {
  const inForce = new Map<string, DatedListEntry>();
  for (const entry of entries) {
    const value = entryKey(entry.value);
    const first = inForce.get(value);
    if (isExpired(entry, now)) {
      problems.report('expired', entry.place, `the entry "${entry.value}" has expired: it does nothing`);
    } else if (first) {
      problems.report('duplicate_entry', entry.place, `"${entry.value}" stands also at ${show(first.place)}`);
    } else {
      inForce.set(value, entry);
    }
  }
  return inForce;
}
