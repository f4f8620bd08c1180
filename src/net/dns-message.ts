import type { Answer } from 'dns-packet';
import packet from 'dns-packet';
import type { DnsAnswer, MxRecord } from '../provider-kit/index.ts';

export interface Question {
  /** ASCII, no final dot; `.` for the root. */
  readonly name: string;
  /** NS only of the root, to see whether a server answers at all. */
  readonly type: 'MX' | 'A' | 'AAAA' | 'NS';
}

/** Outcomes of a look-up that learnt nothing, neither records nor their absence. */
export type DnsFailure = Exclude<DnsAnswer<never>['outcome'], 'found' | 'nxdomain' | 'nodata'>;

/** The answer to a question. `ttlSeconds` is the zone's, not yet clamped; a negative answer without a SOA has none (RFC 2308 section 5). */
export type Reply = DnsAnswer<Answer>;

/** What one server replied. `alias`: a chain of CNAMEs that ends at `target`, for which the server gave no records: ask again. */
export type ServerReply =
  | Reply
  | { readonly outcome: 'alias'; readonly target: string; readonly ttlSeconds: number };

/** Never rejects; answers soon after `signal` fires, with what it has by then. */
export type Ask<Result = Reply> = (question: Question, signal: AbortSignal) => Promise<Result>;

const ANSWERS: ReadonlySet<string> = new Set(['found', 'nxdomain', 'nodata', 'alias']);

export function isFailure<Outcome extends { readonly outcome: string }>(
  reply: Outcome,
): reply is Extract<Outcome, { readonly outcome: DnsFailure }> {
  return !ANSWERS.has(reply.outcome);
}

/**
 * Top-level names that public DNS never holds: RFC 6761 sections 6.3 (localhost) and 6.4 (invalid), RFC 7686
 * (onion). `.test` and `.example` are asked, because private zones use them to try things out.
 */
const NEVER_IN_DNS = new Set(['localhost', 'invalid', 'onion']);
/** RFC 1035 section 2.3.4: 255 octets on the wire, where each label has one more and the root one. */
const MAX_NAME = 253;
/** RFC 1035 section 2.3.4, and the letters of RFC 1123 section 2.1 with the underscore that some hosts have. */
const LABEL = /^[a-z0-9_-]{1,63}$/i;

/** Names that are answered NXDOMAIN without a packet: no dot, an address literal, reserved, or none that DNS holds. */
export function isNeverAsked(name: string): boolean {
  // A plugin may be plain JavaScript, and pass undefined.
  if (typeof name !== 'string') return true;
  if (!name.includes('.') || name.length > MAX_NAME) return true;
  const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  // An IPv4 address: no top-level domain is all digits (RFC 3696, section 2).
  if (NEVER_IN_DNS.has(last) || /^\d+$/.test(last)) return true;
  return !name.split('.').every((label) => LABEL.test(label));
}

/** RFC 6761 section 6.3: address questions about localhost are answered with the loopback addresses. */
export function isLocalhost(name: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(name);
}

export const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** The size that crosses every network unfragmented: the DNS flag day of 2020 (https://www.dnsflagday.net/2020/). */
const UDP_PAYLOAD_OCTETS = 1232;

/** Encodes a query. `edns` is false for servers that answer FORMERR to EDNS (RFC 6891 section 7). */
export function encodeQuery({ name, type }: Question, id: number, edns = true): Buffer {
  const opt: packet.OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_OCTETS,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, name }],
    additionals: edns ? [opt] : [],
  });
}

/**
 * A reply, or what a datagram can be besides: `not_ours` answers another question and says nothing about this one,
 * `truncated` must be asked again over TCP, and `format_error` again without EDNS.
 */
export type Reading = ServerReply | 'not_ours' | 'truncated' | 'format_error';

type Message = packet.DecodedPacket & { readonly rcode?: string };

/** Response codes of RFC 1035 section 4.1.1, as `dns-packet` names them; any other (NOTIMP) is `error`. */
const FAILURES: Readonly<Record<string, DnsFailure>> = { SERVFAIL: 'servfail', REFUSED: 'refused' };

const TRUNCATED = packet.TRUNCATED_RESPONSE;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Reads what came back for `question` under `id`. Never throws: what cannot be read is `malformed`. */
export function readReply(bytes: Buffer, question: Question, id: number): Reading {
  // Compared before decoding, so that a forged datagram costs little.
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== id) return 'not_ours';
  let message: Message;
  try {
    message = packet.decode(bytes);
  } catch {
    // Some servers cut the message off in the middle of a record.
    return bytes.length >= 4 && (bytes.readUInt16BE(2) & TRUNCATED) !== 0
      ? 'truncated'
      : { outcome: 'malformed' };
  }
  if (message.type !== 'response' || !isAbout(message, question)) return 'not_ours';
  if (message.flag_tc) return 'truncated';
  if (message.rcode === 'FORMERR') return 'format_error';
  // The header shows BADVERS as NOERROR: the upper bits of the code are in the OPT record (RFC 6891 section 6.1.3).
  const opt = message.additionals?.find((record) => record.type === 'OPT');
  if (opt && opt.extendedRcode !== 0) return { outcome: 'error' };
  if (message.rcode === 'NOERROR' || message.rcode === 'NXDOMAIN') return readAnswer(message, question);
  return { outcome: FAILURES[message.rcode ?? ''] ?? 'error' };
}

/** For the last message that can come: FORMERR is `error`, and a message that is no reply is `malformed`. */
export function onlyReply(reading: Reading): ServerReply {
  if (reading === 'format_error') return { outcome: 'error' };
  return typeof reading === 'string' ? { outcome: 'malformed' } : reading;
}

/** A server that cannot read a question, or refuses it, may leave the question out of its reply. */
function isAbout({ questions = [], rcode }: Message, { name, type }: Question): boolean {
  const [asked, ...more] = questions;
  if (asked === undefined) return rcode !== 'NOERROR' && rcode !== 'NXDOMAIN';
  return more.length === 0 && asked.type === type && keyOf(asked.name) === keyOf(name);
}

function readAnswer(message: Message, { name, type }: Question): ServerReply {
  const answers = (message.answers ?? []).filter((record) => 'class' in record && record.class === 'IN');
  const { end, ttlSeconds, isLoop } = followAliases(answers, name, type);
  const records = answers.filter((record) => record.type === type && keyOf(record.name) === end);
  const soa = (message.authorities ?? []).find((record) => record.type === 'SOA');
  const negative = soa && {
    ttlSeconds: Math.min(ttlOf(soa.ttl), ttlOf(soa.data.minimum), ttlSeconds ?? NO_LIMIT),
  };
  // The code is about the last name of the chain (RFC 6604 section 3).
  if (message.rcode === 'NXDOMAIN') return { outcome: 'nxdomain', ...negative };
  // A resolver that followed the loop itself would answer SERVFAIL.
  if (isLoop) return { outcome: 'servfail' };
  if (records.length > 0) {
    const ttls = records.map((record) => ttlOf('ttl' in record ? record.ttl : 0));
    return { outcome: 'found', records, ttlSeconds: Math.min(...ttls, ttlSeconds ?? NO_LIMIT) };
  }
  if (ttlSeconds !== undefined && !soa) return { outcome: 'alias', target: end, ttlSeconds };
  if (!soa && isReferral(message)) return { outcome: 'error' };
  return { outcome: 'nodata', ...negative };
}

/**
 * Follows the CNAMEs from `name` to their end, and returns their shortest TTL. The order of the records does not
 * matter: servers should send them in the order of the chain, and some do not.
 */
function followAliases(answers: readonly packet.Answer[], name: string, type: string) {
  const aliases = new Map<string, packet.StringAnswer>();
  const owners = new Set<string>();
  for (const record of answers) {
    if (record.type === 'CNAME') aliases.set(keyOf(record.name), record);
    if (record.type === type) owners.add(keyOf(record.name));
  }
  const seen = new Set<string>();
  let end = keyOf(name);
  let ttlSeconds: number | undefined;
  for (let alias = aliases.get(end); alias && !owners.has(end); alias = aliases.get(end)) {
    if (seen.has(end)) return { end, ttlSeconds, isLoop: true };
    seen.add(end);
    ttlSeconds = Math.min(ttlOf(alias.ttl), ttlSeconds ?? NO_LIMIT);
    end = keyOf(alias.data);
  }
  return { end, ttlSeconds, isLoop: false };
}

/** A server that does not recurse names other servers instead: a referral is no answer (RFC 2308 section 2.2). */
function isReferral({ flag_ra, authorities = [] }: Message): boolean {
  return !flag_ra && authorities.some((record) => record.type === 'NS');
}

/** RFC 2181 section 8: a TTL with the highest bit set counts as 0. */
function ttlOf(ttl = 0): number {
  return ttl >= 2 ** 31 ? 0 : ttl;
}

/** Names compare in any case, with or without the final dot. */
function keyOf(name: string): string {
  return name === '.' ? name : name.toLowerCase().replace(/\.$/, '');
}

/** The most records kept of one answer: no caller tries more, and a domain can own thousands. */
const MAX_RECORDS = 100;

/** Best first: the lowest preference (RFC 5321 section 5.1), then by name so that answers compare. */
export function readExchanges(answers: readonly packet.Answer[]): readonly MxRecord[] {
  return answers
    .flatMap((answer) =>
      answer.type === 'MX'
        ? [{ exchange: hostOf(answer.data.exchange), preference: answer.data.preference ?? 0 }]
        : [],
    )
    .sort((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1))
    .slice(0, MAX_RECORDS);
}

export function readAddresses(answers: readonly packet.Answer[]): readonly string[] {
  return answers
    .flatMap((answer) => (answer.type === 'A' || answer.type === 'AAAA' ? [answer.data] : []))
    .slice(0, MAX_RECORDS);
}

/**
 * Lower case, no final dot; the root, which is how the null MX is written, becomes empty. A zone's owner can put
 * any octet into a name, and evidence is shown on terminals: RFC 4343 section 2.1 writes such octets as `\ddd`.
 */
function hostOf(exchange: string): string {
  const host = exchange.toLowerCase().replace(/\.$/, '');
  return host.replace(/[^!-~]/gu, (odd) =>
    [...Buffer.from(odd)].map((octet) => `\\${String(octet).padStart(3, '0')}`).join(''),
  );
}
