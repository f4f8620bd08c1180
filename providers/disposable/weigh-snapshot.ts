import type { ListSnapshot, Vote } from './snapshot.ts';
import type { Weights } from './thresholds.ts';

/** What the lists say, in points. */
export interface WeighedSnapshot {
  readonly snapshot: ListSnapshot;
  /** By ballot. */
  readonly points: readonly number[];
  /** How many subdomains are known as disposable by the lists alone, and how many are listed, by host. */
  readonly children: ReadonlyMap<string, { readonly known: number; readonly listed: number }>;
}

const DAY_MS = 86_400_000;

/**
 * A vote is worth its list's points while the list's newest version names the domain. The points halve with each half-life between the
 * list's date and the newest date of all lists (milliseconds since the epoch). The vote for a domain that the newest version no longer names
 * falls to the share that a withdrawn vote keeps, half of the way in each half-life of its own. No clock is read.
 */
export function weighSnapshot(
  snapshot: ListSnapshot,
  weights: Weights,
  newest: number = newestDate([snapshot]),
  withdrawnHalfLifeDays: number = weights.withdrawnHalfLifeDays,
): WeighedSnapshot {
  const dates = new Map(snapshot.sources.map(({ id, date }) => [id, Date.parse(date)]));
  const worth = ({ source, lastSeen }: Vote) => {
    const seen = Date.parse(lastSeen);
    const date = dates.get(source) ?? seen;
    const left = (days: number, halfLifeDays: number) => 0.5 ** (Math.max(0, days) / DAY_MS / halfLifeDays);
    const { withdrawnKeeps: keeps } = weights;
    const kept = keeps + (1 - keeps) * left(date - seen, withdrawnHalfLifeDays);
    return (weights.votes[source] ?? weights.otherVote) * left(newest - date, weights.halfLifeDays) * kept;
  };
  const points = snapshot.ballots.map((ballot) =>
    Math.round(ballot.reduce((sum, vote) => sum + worth(vote), 0)),
  );
  const isKnown = points.map((sum) => sum >= weights.knownAt);
  const children = [...snapshot.hosts].map(([host, { children: counts }]) => {
    const sum = (wanted: (ballot: number) => boolean) =>
      counts.reduce((total, [ballot, count]) => total + (wanted(ballot) ? count : 0), 0);
    return [host, { known: sum((ballot) => isKnown[ballot] === true), listed: sum(() => true) }] as const;
  });
  return { snapshot, points, children: new Map(children) };
}

/** The newest date of all lists, in milliseconds since the epoch. */
export function newestDate(snapshots: readonly ListSnapshot[]): number {
  return Math.max(...snapshots.flatMap(({ sources }) => sources.map(({ date }) => Date.parse(date))));
}
