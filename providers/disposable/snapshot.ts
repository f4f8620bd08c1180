import { DomainTable, LINE_END } from './domain-table.ts';

/** A list that votes on domains. */
export interface ListSource {
  /** snake_case; `rules/signals.yaml` gives its vote a weight by this name. */
  readonly id: string;
  /** Who publishes it and which version this is: `disposable-domains@2.0.1`. One word. */
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** The day that its newest version tells of, `YYYY-MM-DD`. */
  readonly date: string;
}

/** The vote of a list for a domain: from when to when it named it. Both days are `YYYY-MM-DD`, of versions of the list. */
export interface Vote {
  readonly source: string;
  readonly firstSeen: string;
  /** The list's own date while it still names the domain, else the last version that did. */
  readonly lastSeen: string;
}

/** A host that hands out subdomains, some of which are listed. */
export interface Host {
  /**
   * `suffix`: in the private section of the Public Suffix List, where every person can get a subdomain (`eu.org`); `owner`: a
   * registered domain, whose subdomains are all its owner's.
   */
  readonly kind: 'suffix' | 'owner';
  /** How many of its listed subdomains have which ballot, by index into `ballots`. */
  readonly children: readonly (readonly [ballot: number, count: number])[];
}

/**
 * What lists say of domains at one moment: which lists named each, and from when to when. All that the provider knows
 * from lists comes through a snapshot; where its text came from (the data folder, or a refreshed copy) is up to the caller.
 */
export interface ListSnapshot {
  readonly sources: readonly ListSource[];
  /** Domains, each once. */
  readonly size: number;
  /** Every combination of votes that occurs, each once: thousands of domains share one. */
  readonly ballots: readonly (readonly Vote[])[];
  /** How many domains have each ballot. */
  readonly sizes: readonly number[];
  /** By name, the hosts under which two listed domains and more stand. */
  readonly hosts: ReadonlyMap<string, Host>;
  /** Index into `ballots`; -1 for a domain that no list names. Exactly this domain: no parent is looked at. */
  ballotOf(domain: string): number;
  /** In the order of the ballots. */
  domains(): Iterable<string>;
}

const FORM = '#postern-disposable-lists 1';
const HASH_SIGN = '#'.charCodeAt(0);
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads the text form, which `writeSnapshot` makes. Lines with `#` tell the form, then the sources, each ballot before the domains that share
 * it, and last the hosts; all other lines are domains in A-labels. Throws on the first line that is none of these.
 */
export function readSnapshot(text: Buffer): ListSnapshot {
  const first = `${FORM}\n`;
  if (text.toString('latin1', 0, first.length) !== first) throw new Error(`does not begin with "${FORM}"`);
  if (text.at(-1) !== LINE_END) throw new Error('is cut off: there is no line end at its end');
  return new CompactSnapshot(text);
}

/** A quarter of the memory of a Map of strings: the text as it was read, and a hash table of where each domain begins. */
class CompactSnapshot implements ListSnapshot {
  readonly sources: readonly ListSource[];
  readonly ballots: readonly (readonly Vote[])[];
  readonly sizes: readonly number[];
  readonly hosts: ReadonlyMap<string, Host>;
  readonly size: number;
  readonly #text: Buffer;
  /** Where the domains of each ballot begin, ascending. */
  readonly #starts: readonly number[];
  readonly #table: DomainTable;

  constructor(text: Buffer) {
    const sources: ListSource[] = [];
    const ballots: Vote[][] = [];
    const sizes: number[] = [];
    const hosts = new Map<string, Host>();
    const starts: number[] = [];
    const votes = new Map<string, Vote>();
    // No domain is shorter than four characters with its line end, so that this is never too small for them.
    const positions = new Uint32Array(text.length >> 2);
    let count = 0;
    for (let from = FORM.length + 1; from < text.length; ) {
      const end = lineEnd(text, from);
      if (text[from] !== HASH_SIGN) {
        if (ballots.length === 0 || hosts.size > 0 || end - from < 3)
          throw new Error(`has a stray line at character ${from}`);
        positions[count] = from;
        count += 1;
        sizes[ballots.length - 1] = (sizes[ballots.length - 1] ?? 0) + 1;
      } else {
        const [kind = '', ...words] = text.toString('latin1', from + 1, end).split(' ');
        if (kind === 'source') sources.push(readSource(words));
        else if (kind === 'host') hosts.set(words[0] ?? '', readHost(words, ballots.length));
        else if (kind === 'votes') {
          ballots.push(readVotes(words, sources, votes));
          starts.push(end + 1);
        } else throw new Error(`has a line of an unknown kind at character ${from}`);
      }
      from = end + 1;
    }
    this.#text = text;
    this.#starts = starts;
    this.#table = new DomainTable(text, count);
    for (const position of positions.subarray(0, count)) this.#table.add(position);
    this.size = count;
    this.sources = sources;
    this.ballots = ballots;
    this.sizes = sizes;
    this.hosts = hosts;
  }

  ballotOf(domain: string): number {
    const place = this.#table.find(domain);
    if (place === -1) return -1;
    const position = this.#table.positionAt(place);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  *domains(): Generator<string> {
    for (let from = this.#starts[0] ?? this.#text.length; from < this.#text.length; ) {
      const end = this.#text.indexOf(LINE_END, from);
      if (this.#text[from] !== HASH_SIGN) yield this.#text.toString('latin1', from, end);
      from = end + 1;
    }
  }
}

/** `indexOf` would take five times as long for lines as short as these. */
function lineEnd(text: Uint8Array, from: number): number {
  let end = from;
  while (text[end] !== LINE_END) end += 1;
  return end;
}

function readSource([id = '', version = '', licence = '', date = '']: readonly string[]): ListSource {
  if (!/^[a-z][a-z0-9_]*$/.test(id) || version === '' || licence === '' || !DAY.test(date))
    throw new Error(`has a source that is not told in full: "${id}"`);
  return { id, version, licence, date };
}

function readHost([name = '', kind = '', ...words]: readonly string[], ballots: number): Host {
  if (kind !== 'suffix' && kind !== 'owner') throw new Error(`has a host "${name}" of the kind "${kind}"`);
  const children = words.map((word): [number, number] => {
    const [ballot = Number.NaN, count = Number.NaN] = word.split(':').map(Number);
    if (!(ballot < ballots) || !(count > 0)) throw new Error(`has a host "${name}" with children "${word}"`);
    return [ballot, count];
  });
  return { kind, children };
}

/** Reads triples of a source, its first day and its last. A vote that many ballots hold is read and kept once. */
function readVotes(
  words: readonly string[],
  sources: readonly ListSource[],
  read: Map<string, Vote>,
): Vote[] {
  const votes: Vote[] = [];
  for (let i = 0; i < words.length; i += 3) {
    const key = `${words[i]} ${words[i + 1]} ${words[i + 2]}`;
    const vote = read.get(key) ?? readVote(words.slice(i, i + 3), sources);
    read.set(key, vote);
    votes.push(vote);
  }
  if (votes.length === 0) throw new Error('has a ballot without a vote');
  return votes;
}

function readVote(
  [source = '', firstSeen = '', lastSeen = '']: readonly string[],
  sources: readonly ListSource[],
): Vote {
  if (!sources.some(({ id }) => id === source))
    throw new Error(`has a vote of an unknown source "${source}"`);
  if (!DAY.test(firstSeen) || !DAY.test(lastSeen) || firstSeen > lastSeen)
    throw new Error(`has a vote of "${source}" with the days "${firstSeen}" and "${lastSeen}"`);
  return { source, firstSeen, lastSeen };
}
