import type { Answer } from 'dns-packet';
import type { DnsAnswer } from '../provider-kit/index.ts';

/** NS only of the root, to see whether a server answers at all. */
export type QuestionType = 'MX' | 'A' | 'AAAA' | 'NS';

export interface Question {
  /** ASCII, no final dot; `.` for the root. */
  readonly name: string;
  readonly type: QuestionType;
}

/** The outcomes of a look-up that found nothing out. */
export type DnsFailure = Exclude<DnsAnswer<never>['outcome'], 'found' | 'nxdomain' | 'nodata'>;

/** What one question came to, as read from the wire. `ttlSeconds` is what the zone said, not yet clamped. */
export type Reply =
  | { readonly outcome: 'found'; readonly records: readonly Answer[]; readonly ttlSeconds: number }
  /** Without `ttlSeconds` there was no SOA to tell for how long (RFC 2308 section 5). */
  | { readonly outcome: 'nxdomain' | 'nodata'; readonly ttlSeconds: number | undefined }
  /** A chain of CNAMEs whose end the server did not answer: that name is still to be asked. */
  | { readonly outcome: 'alias'; readonly target: string; readonly ttlSeconds: number }
  | { readonly outcome: DnsFailure };

/** Asks. Never rejects; answers soon after `signal` fires, with what it has by then. */
export interface Questioner {
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}

export function isFailure<Outcome extends { readonly outcome: string }>(
  reply: Outcome,
): reply is Extract<Outcome, { readonly outcome: DnsFailure }> {
  return !ANSWERS.has(reply.outcome);
}

const ANSWERS: ReadonlySet<string> = new Set(['found', 'nxdomain', 'nodata', 'alias']);
