import packet from 'dns-packet';
import { RCODE, type ZoneAnswer } from './dns-zone.ts';

/**
 * How the server answers a question. A `wrong_…` answer is well-formed and the only one sent; `impostors_first` sends wrong answers
 * before the right one. With `overTcp` a UDP question gets a truncated answer first, which sends the client to TCP.
 */
export type Behaviour =
  | 'healthy'
  | 'silent'
  | 'refusing'
  | 'servfail'
  /** The right id, then an incomplete header. */
  | 'malformed'
  /** The first half of the right answer. */
  | 'half'
  /** A name that points at itself. */
  | 'pointer_loop'
  /** A header that promises 65,535 records. */
  | 'lying_count'
  | 'wrong_id'
  | 'wrong_name'
  | 'wrong_type'
  /** A datagram from another port. */
  | 'wrong_port'
  /** Our own question, sent back. */
  | 'echo'
  | 'impostors_first'
  | 'twice'
  | 'truncated'
  /** Truncated in the middle of a record. */
  | 'cut_in_record'
  /** FORMERR to questions with EDNS. */
  | 'no_edns'
  /** An extended response code whose four low bits equal NOERROR. */
  | 'bad_version'
  /** Refers to other servers instead of resolving the name. */
  | 'referral'
  /** REFUSED, with no question in it. */
  | 'without_question'
  | { readonly slowMs: number }
  | { readonly overTcp: 'octet_by_octet' | 'hang_up' | 'hang_up_halfway' | 'silent' | 'wrong_id' };

/** One datagram or message to send; a `stranger` comes from another port. */
export interface Sending {
  readonly bytes: Buffer;
  readonly stranger?: true;
}

const NS: packet.Answer = { type: 'NS', name: 'test', ttl: 300, data: 'ns.elsewhere.test' };

/** The datagrams, or messages over TCP, that answer a question, in order. */
export function meet(
  behaviour: Behaviour,
  query: packet.DecodedPacket,
  raw: Buffer,
  zoneAnswer: ZoneAnswer,
  isUdp: boolean,
): readonly Sending[] {
  const [question] = query.questions ?? [];
  if (!question) return [];
  const compose = (more: Partial<packet.Packet> = {}, flags = 0): Buffer =>
    packet.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags,
      questions: [question],
      ...more,
    });
  const failure = (rcode: number, more: Partial<packet.Packet> = {}) => [{ bytes: compose(more, rcode) }];
  const { answers, authorities, rcode } = zoneAnswer;
  const body = { answers: [...answers], authorities: [...authorities] };
  const right = compose(body, rcode);
  const about = (other: Partial<packet.Question>): Buffer =>
    compose({ ...body, questions: [{ ...question, ...other }] }, rcode);
  const wrongId = compose({ ...body, id: (query.id ?? 0) ^ 1 }, rcode);
  const wrongName = about({ name: `not-${question.name}` });
  const wrongType = about({ type: 'TXT' });
  const truncated = [{ bytes: compose({}, packet.TRUNCATED_RESPONSE) }];
  // RFC 6891 section 6.2.5: 512 octets where the client names no size.
  const opt = query.additionals?.find(({ type }) => type === 'OPT');
  const room = opt && 'udpPayloadSize' in opt ? opt.udpPayloadSize : 512;
  const healthy = isUdp && right.length > room ? truncated : [{ bytes: right }];

  if (typeof behaviour === 'object') {
    if ('slowMs' in behaviour) return healthy;
    if (isUdp) return truncated;
    return behaviour.overTcp === 'silent'
      ? []
      : behaviour.overTcp === 'wrong_id'
        ? [{ bytes: wrongId }]
        : healthy;
  }
  switch (behaviour) {
    case 'healthy':
      return healthy;
    case 'silent':
      return [];
    case 'refusing':
      return failure(RCODE.REFUSED);
    case 'servfail':
      return failure(RCODE.SERVFAIL);
    case 'without_question':
      return failure(RCODE.REFUSED, { questions: [] });
    case 'malformed':
      return [{ bytes: Buffer.concat([raw.subarray(0, 2), Buffer.from([0x81, 0x80, 0xff])]) }];
    case 'half':
      return [{ bytes: right.subarray(0, right.length / 2) }];
    case 'pointer_loop':
      // One answer, whose owner is a pointer to itself at the end of the message.
      return [{ bytes: loopAfter(compose({}, rcode)) }];
    case 'lying_count': {
      right.writeUInt16BE(0xffff, 6);
      return [{ bytes: right }];
    }
    case 'wrong_id':
      return [{ bytes: wrongId }];
    case 'wrong_name':
      return [{ bytes: wrongName }];
    case 'wrong_type':
      return [{ bytes: wrongType }];
    case 'wrong_port':
      return [{ bytes: right, stranger: true }];
    case 'echo':
      return [{ bytes: raw }];
    case 'impostors_first': {
      const forged = compose({}, RCODE.NXDOMAIN);
      const wrong = [wrongId, wrongName, wrongType, raw, Buffer.from('?'), Buffer.alloc(0)];
      return [{ bytes: forged, stranger: true }, ...wrong.map((bytes) => ({ bytes })), ...healthy];
    }
    case 'twice':
      return [...healthy, ...healthy];
    case 'truncated':
      return isUdp ? truncated : healthy;
    case 'cut_in_record':
      return isUdp ? [{ bytes: compose(body, packet.TRUNCATED_RESPONSE).subarray(0, -3) }] : healthy;
    case 'no_edns':
      return opt ? failure(RCODE.FORMERR) : healthy;
    case 'bad_version':
      return failure(RCODE.NOERROR, {
        additionals: opt ? [{ ...opt, extendedRcode: 1 } as packet.OptAnswer] : [],
      });
    case 'referral': {
      const bytes = compose({ authorities: [NS] });
      bytes.writeUInt16BE(bytes.readUInt16BE(2) & ~packet.RECURSION_AVAILABLE, 2);
      return [{ bytes }];
    }
  }
}

function loopAfter(message: Buffer): Buffer {
  message.writeUInt16BE(1, 6);
  const pointer = Buffer.alloc(2);
  pointer.writeUInt16BE(0xc000 | message.length);
  return Buffer.concat([message, pointer, Buffer.alloc(10)]);
}
