import packet from 'dns-packet';
import type { DnsFailure } from './dns-outcome.ts';

/** The records that answer the question, or why there are none. */
export type DnsMessage =
  | { readonly outcome: 'answered'; readonly answers: readonly packet.Answer[] }
  | { readonly outcome: 'nxdomain' | DnsFailure };

/**
 * Response codes of RFC 1035 section 4.1.1, as `dns-packet` names them; any other (FORMERR, NOTIMP) is `error`.
 */
const BY_RCODE: Readonly<Record<string, 'nxdomain' | DnsFailure>> = {
  NXDOMAIN: 'nxdomain',
  SERVFAIL: 'servfail',
  REFUSED: 'refused',
};

/** Reads a response to one question; what does not answer that question is `malformed`. */
export function readDnsMessage(bytes: Uint8Array, name: string, type: string): DnsMessage {
  let message: packet.DecodedPacket & { readonly rcode?: string };
  try {
    message = packet.decode(Buffer.from(bytes));
  } catch {
    return { outcome: 'malformed' };
  }
  const question = message.questions?.[0];
  const isOurs = message.type === 'response' && question?.type === type && same(question.name, name);
  if (!isOurs || message.flag_tc) return { outcome: 'malformed' };
  if (message.rcode !== 'NOERROR') return { outcome: BY_RCODE[message.rcode ?? ''] ?? 'error' };
  return { outcome: 'answered', answers: followAliases(message.answers ?? [], name) };
}

/** Only records of the name itself and of the names that its CNAMEs lead to; servers send them in that order. */
function followAliases(answers: readonly packet.Answer[], name: string): readonly packet.Answer[] {
  const names = new Set([name.toLowerCase()]);
  return answers.filter((answer) => {
    if (!names.has(answer.name.toLowerCase())) return false;
    if (answer.type === 'CNAME') names.add(answer.data.toLowerCase());
    return true;
  });
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
