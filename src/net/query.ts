import packet from 'dns-packet';
import type { Question } from './question.ts';

/** What crosses every network unfragmented: the DNS flag day of 2020 (https://www.dnsflagday.net/2020/). */
const UDP_PAYLOAD_OCTETS = 1232;

/** One question as it goes over the wire. Without EDNS for the servers that answer FORMERR to it (RFC 6891 section 7). */
export function encodeQuery(
  { name, type }: Question,
  id: number,
  { edns = true }: { readonly edns?: boolean } = {},
): Buffer {
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
