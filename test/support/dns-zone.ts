import type packet from 'dns-packet';

/** The records of a name. A name with no records answers NODATA; a name that is not in the zone answers NXDOMAIN. */
export interface ZoneEntry {
  readonly MX?: readonly { readonly exchange: string; readonly preference: number }[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  /** Answered for any question about the name, with the records of its target when the zone has them. */
  readonly CNAME?: string;
  /** Only the CNAME is answered: the client must look up its target. */
  readonly leavesOpen?: true;
  /** Seconds; 300 by default. */
  readonly ttl?: number;
}

export type Zone = Readonly<Record<string, ZoneEntry>>;

/** The SOA record in a negative answer (RFC 2308), in seconds. */
export interface Soa {
  readonly ttl: number;
  readonly minimum: number;
}

// RFC 1035 section 4.1.1; the response code is the lowest four bits of the header's flags.
export const RCODE = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** A zone's answer to one question. */
export interface ZoneAnswer {
  readonly rcode: number;
  readonly answers: readonly packet.Answer[];
  readonly authorities: readonly packet.Answer[];
}

export function answerFrom(question: packet.Question, zone: Zone, soa: Soa | undefined): ZoneAnswer {
  const { rcode, answers, isOpen } = recordsOf(question, zone);
  const isNegative = !isOpen && !answers.some(({ type }) => type === question.type);
  const authorities: packet.Answer[] =
    soa && isNegative
      ? [{ type: 'SOA', name: 'test', ttl: soa.ttl, data: { mname: 'ns.test', rname: 'root.test', ...soa } }]
      : [];
  return { rcode, answers, authorities };
}

interface Found {
  readonly rcode: number;
  readonly answers: readonly packet.Answer[];
  readonly isOpen?: boolean;
}

function recordsOf(question: packet.Question, zone: Zone): Found {
  const entry = zone[question.name.toLowerCase()];
  if (!entry) return { rcode: RCODE.NXDOMAIN, answers: [] };
  const { name } = question;
  const { ttl = 300 } = entry;
  const rcode = RCODE.NOERROR;
  if (entry.CNAME !== undefined) {
    const alias: packet.Answer = { type: 'CNAME', name, ttl, data: entry.CNAME };
    if (entry.leavesOpen) return { rcode, answers: [alias], isOpen: true };
    const end = recordsOf({ ...question, name: entry.CNAME }, zone);
    return { ...end, answers: [alias, ...end.answers] };
  }
  switch (question.type) {
    case 'MX':
      return {
        rcode,
        answers: (entry.MX ?? []).map((data) => ({ type: 'MX', name, ttl, data: { ...data } })),
      };
    case 'A':
      return { rcode, answers: (entry.A ?? []).map((data) => ({ type: 'A', name, ttl, data })) };
    case 'AAAA':
      return { rcode, answers: (entry.AAAA ?? []).map((data) => ({ type: 'AAAA', name, ttl, data })) };
    default:
      return { rcode, answers: [] };
  }
}
