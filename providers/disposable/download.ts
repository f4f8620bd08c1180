import type { DownloadedList, ListRecord } from 'postern/provider-kit';
import { hostsOf } from './hosts.ts';
import { inSlices } from './in-slices.ts';
import { type Host, hash, type ListSnapshot, type ListSource, type Vote } from './snapshot.ts';

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
  const text = `${domains.join('\n')}\n`;
  const snapshot = new DownloadSnapshot(sourceOf(list), ballots, withTwoAndMore(hosts), text, domains.length);
  let position = 0;
  await inSlices(domains.entries(), ([index, domain]) => {
    snapshot.put(domain, position, ballotOf[index] ?? 0);
    position += domain.length + 1;
  });
  return snapshot;
}

/** Whose licence it is under is between its publisher and the operator. */
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

/** Every pair of days that occurs, each once. */
class Ballots {
  readonly all: (readonly Vote[])[] = [];
  readonly sizes: number[] = [];
  readonly #source: string;
  readonly #indexes = new Map<string, number>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Index of the ballot; it counts one domain more. */
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
  readonly #text: string;
  /** Position in the text, plus one; 0 is an empty place. Its length is a power of two. */
  readonly #places: Uint32Array;
  /** By place, an index into `ballots`: a pair of days, of which there are a few hundred. */
  readonly #ballotAt: Uint16Array;

  constructor(
    source: ListSource,
    { all, sizes }: Ballots,
    hosts: ReadonlyMap<string, Host>,
    text: string,
    size: number,
  ) {
    this.sources = [source];
    this.size = size;
    this.ballots = all;
    this.sizes = sizes;
    this.hosts = hosts;
    this.#text = text;
    // At most half full, so that a search ends after a step or two.
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(size * 2 + 1)));
    this.#ballotAt = new Uint16Array(this.#places.length);
  }

  /** Says where in the text a domain begins. Once for each. */
  put(domain: string, position: number, ballot: number): void {
    const place = this.#find(domain);
    this.#places[place] = position + 1;
    this.#ballotAt[place] = ballot;
  }

  ballotOf(domain: string): number {
    const place = this.#find(domain);
    return this.#places[place] === 0 ? -1 : (this.#ballotAt[place] ?? -1);
  }

  *domains(): Generator<string> {
    const text = this.#text;
    for (let from = 0; from < text.length - 1; ) {
      const end = text.indexOf('\n', from);
      yield text.slice(from, end);
      from = end + 1;
    }
  }

  /** The place of the domain, or the empty one where it would be. */
  #find(domain: string): number {
    const mask = this.#places.length - 1;
    let place = hash(domain) & mask;
    for (;;) {
      const position = this.#places[place] ?? 0;
      if (position === 0 || this.#isAt(position - 1, domain)) return place;
      place = (place + 1) & mask;
    }
  }

  #isAt(position: number, domain: string): boolean {
    return this.#text.startsWith(domain, position) && this.#text[position + domain.length] === '\n';
  }
}
