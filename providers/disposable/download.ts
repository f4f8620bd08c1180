import { setImmediate } from 'node:timers/promises';
import type { DownloadedList } from 'postern/provider-kit';
import { type ListSnapshot, readSnapshot } from './snapshot.ts';
import { writeGroups } from './write-snapshot.ts';

/** Requests are served while a list is taken in: after so many domains they have their turn. */
const SLICE = 5_000;

/** A list of `lists.urls` as a snapshot of its own, beside the one that is shipped. */
export async function snapshotOf(list: DownloadedList): Promise<ListSnapshot> {
  const byVotes = new Map<string, string[]>();
  let count = 0;
  for (const [domain, { firstSeen, lastSeen }] of list.records()) {
    const line = `${list.name} ${firstSeen} ${lastSeen}`;
    const group = byVotes.get(line);
    if (group) group.push(domain);
    else byVotes.set(line, [domain]);
    count += 1;
    if (count % SLICE === 0) await setImmediate();
  }
  const { name, version, date } = list;
  // Whose licence it is under is between its publisher and the operator.
  const source = { id: name, version: `${name}@${version}`, licence: 'unknown', date };
  return readSnapshot(writeGroups([source], byVotes));
}
