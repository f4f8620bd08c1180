import { hostsOf } from './hosts.ts';
import type { ListSnapshot, ListSource, Vote } from './snapshot.ts';

/** One version of a list. */
export interface ListEdition {
  readonly source: ListSource;
  /** A-labels in lower case. */
  readonly domains: Iterable<string>;
  /** First and last day of a domain, where the list itself keeps them; else both are the date of the source. */
  readonly seen?: (domain: string) => { readonly firstSeen: string; readonly lastSeen: string };
}

type Ballot = Map<string, Vote>;

/**
 * The snapshot that follows an earlier one when these editions have come out. A domain that an edition names gets its vote; one that it no
 * longer names keeps the vote with the last day it was seen. A vote whose last day lies before `keptSince` is dropped.
 */
export function nextSnapshot(
  earlier: ListSnapshot | null,
  editions: readonly ListEdition[],
  keptSince = '',
): Buffer {
  const sources = new Map(earlier?.sources.map((source) => [source.id, source]));
  const ballots = new Map<string, Ballot>();
  for (const domain of earlier?.domains() ?? []) {
    const votes = earlier?.ballots[earlier.ballotOf(domain)] ?? [];
    ballots.set(domain, new Map(votes.map((vote) => [vote.source, vote])));
  }
  for (const { source, domains, seen } of editions) {
    const known = sources.get(source.id);
    if (known === undefined || known.date <= source.date) sources.set(source.id, source);
    for (const domain of domains) {
      const { firstSeen, lastSeen } = seen?.(domain) ?? { firstSeen: source.date, lastSeen: source.date };
      const ballot: Ballot = ballots.get(domain) ?? new Map();
      ballots.set(
        domain,
        ballot.set(source.id, join({ source: source.id, firstSeen, lastSeen }, ballot.get(source.id))),
      );
    }
  }
  return Buffer.from(writeSnapshot([...sources.values()], ballots, keptSince), 'latin1');
}

function join(one: Vote, other: Vote = one): Vote {
  return {
    source: one.source,
    firstSeen: one.firstSeen < other.firstSeen ? one.firstSeen : other.firstSeen,
    lastSeen: one.lastSeen > other.lastSeen ? one.lastSeen : other.lastSeen,
  };
}

/** The same lists give the same text, whatever order they came in. */
function writeSnapshot(
  sources: readonly ListSource[],
  ballots: ReadonlyMap<string, Ballot>,
  keptSince: string,
): string {
  const byVotes = new Map<string, string[]>();
  for (const [domain, ballot] of ballots) {
    const votes = [...ballot.values()].filter(({ lastSeen }) => lastSeen >= keptSince);
    if (votes.length === 0) continue;
    const line = votes
      .map(({ source, firstSeen, lastSeen }) => `${source} ${firstSeen} ${lastSeen}`)
      .sort()
      .join(' ');
    const group = byVotes.get(line);
    if (group) group.push(domain);
    else byVotes.set(line, [domain]);
  }
  return writeGroups(sources, byVotes);
}

/** The text form of a snapshot: domains by the line of the ballot that they share. */
function writeGroups(
  sources: readonly ListSource[],
  byVotes: ReadonlyMap<string, readonly string[]>,
): string {
  const groups = [...byVotes].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    '#postern-disposable-lists 1',
    ...sources.map(({ id, version, licence, date }) => `#source ${id} ${version} ${licence} ${date}`).sort(),
    ...groups.flatMap(([line, domains]) => [`#votes ${line}`, ...domains.toSorted()]),
    ...hostLines(groups.map(([, domains]) => domains)),
    '',
  ].join('\n');
}

/** A line for each host under which two domains stand and more; the index of the group is that of the ballot. */
function hostLines(groups: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, Map<number, number>>();
  for (const [ballot, domains] of groups.entries()) {
    for (const domain of domains) {
      for (const { host, kind } of hostsOf(domain)) {
        const key = `${host} ${kind}`;
        const ofHost = counts.get(key) ?? new Map<number, number>();
        counts.set(key, ofHost.set(ballot, (ofHost.get(ballot) ?? 0) + 1));
      }
    }
  }
  return [...counts]
    .flatMap(([key, ofHost]) => {
      const children = [...ofHost];
      if (children.reduce((sum, [, count]) => sum + count, 0) < 2) return [];
      return [`#host ${key} ${children.map(([ballot, count]) => `${ballot}:${count}`).join(' ')}`];
    })
    .sort();
}
