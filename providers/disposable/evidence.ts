import { type Established, isEstablished } from './established.ts';
import { hostsOf, type Registries, registeredPart, upTo } from './hosts.ts';
import type { Exemption } from './load.ts';
import type { Operator, OperatorWord } from './operator.ts';
import { type TellingNames, tellingName } from './telling-name.ts';
import type { Weights } from './thresholds.ts';
import type { WeighedSnapshot } from './weigh-snapshot.ts';

/** Everything that domains are judged by. */
export interface Grounds {
  readonly operator: Operator;
  readonly exemptions: ReadonlyMap<string, Exemption>;
  readonly registries: Registries;
  readonly established: Established;
  /** Big free mail providers. */
  readonly freeProviders: ReadonlySet<string>;
  readonly names: TellingNames;
  /** The shipped one, then those of `lists.urls`. */
  readonly lists: readonly WeighedSnapshot[];
  readonly weights: Weights;
}

/** What a verdict rests on: the operator's word, or the piece of evidence that weighs most. */
export const BASES = ['none', 'name', 'neighbours', 'mail_host', 'lists', 'operator'] as const;
export type Basis = (typeof BASES)[number];

/** A piece of evidence: points, and plain JSON that explains them to a person. */
interface Piece {
  readonly points: number;
  readonly evidence: Readonly<Record<string, unknown>>;
}

const NOTHING: Piece = { points: 0, evidence: {} };

export interface Judgement extends Piece {
  readonly basis: Basis;
  readonly listedSiblings: number;
}

/**
 * The operator's entries come first, then exemptions; else the points of lists, neighbours, the mail host and the name
 * are added up. `sharesBackend`: the fact `disposable_mx.shares_backend`, from DNS.
 */
export function judge(domain: string, sharesBackend: boolean, grounds: Grounds): Judgement {
  const { weights } = grounds;
  const word = grounds.operator.wordOn(domain);
  if (word) return byOperator(word, weights);
  const registered = registeredPart(domain, grounds.registries);
  const lists = registered === null ? NOTHING : strongestListing(domain, registered, grounds);
  if ('exemption' in lists) {
    const { domain: exempt, kind } = lists.exemption;
    return { points: 0, basis: 'none', listedSiblings: 0, evidence: { exempt, because: kind } };
  }
  const neighbours = byParent(domain, grounds);
  const backend = sharesBackend ? weights.backend : 0;
  const name = registered === null ? NOTHING : byName(registered, grounds);
  const against = lists.points + neighbours.points + backend + name.points;
  const letOff = against > 0 ? letOffOf(domain, registered, grounds) : {};
  const points = Math.max(
    0,
    Object.values(letOff).reduce((sum, less) => sum + less, against),
  );
  const weighed = {
    lists: lists.points,
    mail_host: backend,
    neighbours: neighbours.points,
    name: name.points,
  };
  return {
    points,
    basis: points < Math.min(weights.suspectAt, weights.knownAt) ? 'none' : strongestOf(weighed),
    listedSiblings: neighbours.listed,
    evidence: {
      ...lists.evidence,
      ...neighbours.evidence,
      ...(backend > 0 && { mail_host: backend }),
      ...name.evidence,
      ...letOff,
    },
  };
}

/** Points below zero for a big free provider or an established domain. */
function letOffOf(
  domain: string,
  registered: string | null,
  { freeProviders, established, weights }: Grounds,
): Readonly<Record<string, number>> {
  if (freeProviders.has(domain)) return { free_provider: -weights.freeProvider };
  if (registered !== null && isEstablished(registered, established))
    return { established: -weights.established };
  return {};
}

/** The first of those that weigh most. */
function strongestOf(weighed: Readonly<Record<Exclude<Basis, 'none' | 'operator'>, number>>): Basis {
  const { lists, mail_host, neighbours, name } = weighed;
  const most = Math.max(lists, mail_host, neighbours, name);
  if (lists === most) return 'lists';
  if (mail_host === most) return 'mail_host';
  return neighbours === most ? 'neighbours' : 'name';
}

/**
 * Looks for a name such as `temp-mail` in the registered part, in `temp.email` too; labels below it are named freely by the domain's owner.
 * Names of reverse DNS, which tunnel brokers give out by thousands, are for infrastructure (RFC 3172): no person has a mailbox there.
 */
function byName(registered: string, { names, weights }: Grounds): Piece {
  if (registered.endsWith('.arpa'))
    return { points: weights.name, evidence: { name: 'arpa', named: weights.name } };
  const label = registered.endsWith('.email')
    ? registered.replaceAll('.', '-')
    : registered.slice(0, registered.indexOf('.'));
  const found = tellingName(label, names);
  if (found === undefined) return NOTHING;
  const points = found.certainty === 'certain' ? weights.name : weights.ambiguousName;
  return { points, evidence: { name: found.name, named: points } };
}

function byOperator({ list, value, reason }: OperatorWord, { knownAt }: Weights): Judgement {
  const isDenied = list === 'deny';
  return {
    points: isDenied ? knownAt : 0,
    basis: isDenied ? 'operator' : 'none',
    listedSiblings: 0,
    evidence: { operator: list, value, reason },
  };
}

/**
 * Walks from the domain up to the registered part, and never beyond: the lists hold public suffixes such as `eu.org` and `ddns.net`, under
 * which strangers live. A listed name below an exempt domain is not exempt, except below a relay's domain: there it is a user's own.
 */
function strongestListing(
  domain: string,
  registered: string,
  { exemptions, lists }: Grounds,
): { readonly exemption: Exemption } | Piece {
  let strongest = NOTHING;
  for (const candidate of upTo(registered, domain)) {
    const exemption = exemptions.get(candidate);
    if (exemption) return strongest.points > 0 && exemption.kind !== 'relay' ? strongest : { exemption };
    let points = 0;
    const votes: string[] = [];
    for (const { snapshot, points: worth } of lists) {
      const ballot = snapshot.ballotOf(candidate);
      if (ballot === -1) continue;
      points += worth[ballot] ?? 0;
      for (const { source, firstSeen, lastSeen } of snapshot.ballots[ballot] ?? []) {
        votes.push(`${source} ${firstSeen} to ${lastSeen}`);
      }
    }
    if (points > strongest.points)
      strongest = { points, evidence: { matched: candidate, lists: points, votes } };
  }
  return strongest;
}

function byParent(
  domain: string,
  { lists, registries, weights }: Grounds,
): Piece & { readonly listed: number } {
  let strongest = { points: 0, listed: 0, evidence: {} };
  for (const { host, kind } of hostsOf(domain)) {
    const registry = registries.get(host);
    if (registry === 'sold') continue;
    let known = 0;
    let listed = 0;
    // The same subdomain may be on several lists: the fullest of them counts.
    for (const { children } of lists) {
      const count = children.get(host);
      known = Math.max(known, count?.known ?? 0);
      listed = Math.max(listed, count?.listed ?? 0);
    }
    // At a host of dynamic DNS each subdomain is its own owner's home server: neighbours raise suspicion at most.
    const [each, most] =
      registry === 'dynamic'
        ? [weights.dynamicChild, weights.knownAt - 1]
        : [kind === 'owner' ? weights.ownerChild : weights.suffixChild, weights.parentAtMost];
    // One subdomain is the domain's own affair.
    const points = known < 2 ? 0 : Math.min(most, each * known);
    if (points > strongest.points || listed > strongest.listed) {
      strongest = {
        points,
        listed,
        evidence: { parent: host, neighbours: points, children_known: known, children_listed: listed },
      };
    }
  }
  return strongest;
}
