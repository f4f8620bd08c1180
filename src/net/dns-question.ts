import type { Answer } from 'dns-packet';
import type { DnsAnswer } from '../provider-kit/index.ts';

export interface Question {
  /** ASCII, no final dot; `.` for the root. */
  readonly name: string;
  /** NS only of the root, to see whether a server answers at all. */
  readonly type: 'MX' | 'A' | 'AAAA' | 'NS';
}

/** The outcomes of a look-up that found nothing out. */
export type DnsFailure = Exclude<DnsAnswer<never>['outcome'], 'found' | 'nxdomain' | 'nodata'>;

/** What a question came to. `ttlSeconds` is what the zone said, not yet clamped; absent without a SOA (RFC 2308 section 5). */
export type Reply = DnsAnswer<Answer>;

/** What one server replied: perhaps a chain of CNAMEs whose end it did not answer. That name is still to be asked. */
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
  if (!name.includes('.') || name.length > MAX_NAME) return true;
  if (NEVER_IN_DNS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) return true;
  return !name.split('.').every((label) => LABEL.test(label));
}

/** RFC 6761 section 6.3: address questions about localhost are answered with the loopback addresses. */
export function isLocalhost(name: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(name);
}

export const LOOPBACK = ['127.0.0.1', '::1'] as const;
