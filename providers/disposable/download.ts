import type { DownloadedList, ListRecord } from 'postern/provider-kit';
import { DomainTable, LINE_END } from './domain-table.ts';
import { hostsOf } from './hosts.ts';
import { inSlices } from './in-slices.ts';
import type { Host, ListSnapshot, ListSource, Vote } from './snapshot.ts';

/**
 * A list of `lists.urls` as a snapshot of its own, beside the one that is shipped. A service takes it in while it
 * answers requests, so that it is built in slices, and without the text form, which would have to be sorted in one go.
 */
export async function snapshotOf(list: DownloadedList): Promise<ListSnapshot> {
  const domains: string[] = [];
  const ballots = new Ballots(list.name);
  const ballotOf: number[] = [];
  const hosts = new Map<string, CountedHost>();
  await inSlices(list.records(), ([domain, record]) => {
    const ballot = ballots.cast(record);
    domains.push(domain);
    ballotOf.push(ballot);
    for (const { host, kind } of hostsOf(domain)) {
      const counted = hosts.get(host) ?? { kind, counts: new Map<number, number>() };
      counted.counts.set(ballot, (counted.counts.get(ballot) ?? 0) + 1);
      hosts.set(host, counted);
    }
  });
  const text = Buffer.from(`${domains.join('\n')}\n`, 'latin1');
  const snapshot = new DownloadSnapshot(sourceOf(list), ballots, withTwoAndMore(hosts), text, domains.length);
  let position = 0;
  await inSlices(domains.entries(), ([index, domain]) => {
    snapshot.put(position, ballotOf[index] ?? 0);
    position += domain.length + 1;
  });
  return snapshot;
}

/** The licence is a matter between the list's publisher and the operator. */
function sourceOf({ name, version, date }: DownloadedList): ListSource {
  return { id: name, version: `${name}@${version}`, licence: 'unknown', date };
}

interface CountedHost {
  readonly kind: Host['kind'];
  readonly counts: Map<number, number>;
}

function withTwoAndMore(hosts: ReadonlyMap<string, CountedHost>): ReadonlyMap<string, Host> {
  const kept = [...hosts].flatMap(([host, { kind, counts }]): [string, Host][] => {
    const children = [...counts];
    return children.reduce((sum, [, count]) => sum + count, 0) < 2 ? [] : [[host, { kind, children }]];
  });
  return new Map(kept);
}

/** Each pair of a first and a last day that occurs, once. */
class Ballots {
  readonly all: (readonly Vote[])[] = [];
  readonly sizes: number[] = [];
  readonly #source: string;
  readonly #indexes = new Map<string, number>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Counts one more domain for the ballot of these days; returns the index of the ballot. */
  cast({ firstSeen, lastSeen }: ListRecord): number {
    const days = `${firstSeen} ${lastSeen}`;
    const index = this.#indexes.get(days) ?? this.all.length;
    if (index === this.all.length) {
      this.#indexes.set(days, index);
      this.all.push([{ source: this.#source, firstSeen, lastSeen }]);
    }
    this.sizes[index] = (this.sizes[index] ?? 0) + 1;
    return index;
  }
}

/** As compact as the one that is shipped: the domains in one piece of text, and a hash table of where each begins. */
class DownloadSnapshot implements ListSnapshot {
  readonly sources: readonly ListSource[];
  readonly size: number;
  readonly ballots: readonly (readonly Vote[])[];
  readonly sizes: readonly number[];
  readonly hosts: ReadonlyMap<string, Host>;
  readonly #text: Buffer;
  readonly #table: DomainTable;
  /** By place, an index into `ballots`: a pair of days, a few hundred of them in most lists. */
  readonly #ballotAt: Uint32Array;

  constructor(
    source: ListSource,
    { all, sizes }: Ballots,
    hosts: ReadonlyMap<string, Host>,
    text: Buffer,
    size: number,
  ) {
    this.sources = [source];
    this.size = size;
    this.ballots = all;
    this.sizes = sizes;
    this.hosts = hosts;
    this.#text = text;
    this.#table = new DomainTable(text, size);
    this.#ballotAt = new Uint32Array(this.#table.length);
  }

  /** Adds the domain that begins at this position of the text. Call it once for each. */
  put(position: number, ballot: number): void {
    this.#ballotAt[this.#table.add(position)] = ballot;
  }

  ballotOf(domain: string): number {
    const place = this.#table.find(domain);
    return place === -1 ? -1 : (this.#ballotAt[place] ?? -1);
  }

  *domains(): Generator<string> {
    const text = this.#text;
    for (let from = 0; from < text.length - 1; ) {
      const end = text.indexOf(LINE_END, from);
      yield text.toString('latin1', from, end);
      from = end + 1;
    }
  }
}
