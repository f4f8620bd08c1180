import type { Answer } from 'dns-packet';
import type { DnsAnswer, MxRecord } from '../provider-kit/index.ts';
import { isFailure, type Reply } from './dns-question.ts';

/** Of one answer, the best: no caller tries more, and a domain can own thousands. */
const MAX_RECORDS = 100;

/** A reply in the words of the port. A chain that was not followed to its end is `servfail`. */
export function answerOf<Record>(
  reply: Reply,
  read: (answers: readonly Answer[]) => readonly Record[],
): DnsAnswer<Record> {
  switch (reply.outcome) {
    case 'found':
      return { outcome: 'found', records: read(reply.records), ttlSeconds: reply.ttlSeconds };
    case 'nxdomain':
    case 'nodata':
      return {
        outcome: reply.outcome,
        ...(reply.ttlSeconds !== undefined && { ttlSeconds: reply.ttlSeconds }),
      };
    case 'alias':
      return { outcome: 'servfail' };
    default:
      return { outcome: reply.outcome };
  }
}

/** Best first: the lowest preference (RFC 5321 section 5.1), then by name so that answers compare. */
export function readExchanges(answers: readonly Answer[]): readonly MxRecord[] {
  return answers
    .flatMap((answer) =>
      answer.type === 'MX'
        ? [{ exchange: hostOf(answer.data.exchange), preference: answer.data.preference ?? 0 }]
        : [],
    )
    .sort((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1))
    .slice(0, MAX_RECORDS);
}

export function readAddresses(answers: readonly Answer[]): readonly string[] {
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

/**
 * One answer from the A and the AAAA question, for as long as both hold. Records of one family stand though the other
 * failed, marked `partial`; no record at all is an answer only when both questions were answered.
 */
export function bothFamilies(v4: DnsAnswer<string>, v6: DnsAnswer<string>): DnsAnswer<string> {
  const failed = [v4, v6].find(isFailure);
  const records = [v4, v6].flatMap((answer) => (answer.outcome === 'found' ? answer.records : []));
  const lives = [v4, v6].flatMap((answer) => ('ttlSeconds' in answer ? [answer.ttlSeconds] : []));
  const life = lives.length > 0 ? { ttlSeconds: Math.min(...lives) } : {};
  if (records.length > 0) {
    return { outcome: 'found', records, ...(failed && { partial: true }), ...life };
  }
  if (failed) return failed;
  // NXDOMAIN holds for every type of a name (RFC 2308 section 2.1), so one is enough.
  return { outcome: v4.outcome === 'nxdomain' || v6.outcome === 'nxdomain' ? 'nxdomain' : 'nodata', ...life };
}
