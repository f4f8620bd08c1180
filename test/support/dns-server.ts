import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import packet from 'dns-packet';

/** What a name owns. A name with no records answers NODATA; a name that is not in the zone, NXDOMAIN. */
export interface ZoneEntry {
  readonly MX?: readonly { readonly exchange: string; readonly preference: number }[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  /** Answered for any question about the name, with the records of its target when the zone has them. */
  readonly CNAME?: string;
}

export type Zone = Readonly<Record<string, ZoneEntry>>;

/**
 * How a question is met: `silent` never answers; `malformed` sends octets that are no DNS message; `wrong_id`
 * and `wrong_name` send well-formed answers to a question that was not asked; `truncated` sends UDP askers to TCP.
 */
export type Behaviour =
  | 'healthy'
  | 'silent'
  | 'refusing'
  | 'servfail'
  | 'malformed'
  | 'wrong_id'
  | 'wrong_name'
  | 'truncated'
  | { readonly slowMs: number };

export interface Query {
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
}

export interface DnsServer {
  /** `127.0.0.1:port`, for `dns.servers`. */
  readonly address: string;
  /** Every question received, in order. */
  readonly queries: readonly Query[];
  /** For one name, or for every name that has none of its own. */
  setBehaviour(behaviour: Behaviour, name?: string): void;
  close(): Promise<void>;
}

// Header bits of RFC 1035 section 4.1.1; the response code is the lowest four.
const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** A real DNS server on loopback, UDP and TCP on one free port. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const queries: Query[] = [];
  const behaviours = new Map<string, Behaviour>();
  let everywhere: Behaviour = 'healthy';
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<Socket>();

  const receive = (bytes: Buffer, transport: Query['transport'], send: (answer: Buffer) => void): void => {
    const query = packet.decode(bytes);
    const question = query.questions?.[0];
    if (!question) return;
    const name = question.name.toLowerCase();
    queries.push({ name, type: question.type, transport });
    const behaviour = behaviours.get(name) ?? everywhere;
    if (behaviour === 'silent') return;
    if (behaviour === 'malformed') {
      // The right id, then a header that breaks off.
      send(Buffer.from([bytes[0] ?? 0, bytes[1] ?? 0, 0x81, 0x80, 0xff]));
      return;
    }
    const answer = packet.encode(answerTo(query, question, zone, behaviour, transport));
    if (typeof behaviour === 'string') {
      send(answer);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(answer);
    }, behaviour.slowMs);
    timers.add(timer);
  };

  const udp = createSocket('udp4');
  udp.on('message', (bytes, peer) => {
    receive(bytes, 'udp', (answer) => udp.send(answer, peer.port, peer.address, () => {}));
  });
  const tcp = createServer((socket) => {
    connections.add(socket);
    let pending = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connections.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      // RFC 1035 section 4.2.2: over TCP each message follows its length in two octets.
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const length = pending.readUInt16BE(0);
        receive(pending.subarray(2, 2 + length), 'tcp', (answer) => {
          const prefix = Buffer.alloc(2);
          prefix.writeUInt16BE(answer.length);
          socket.write(Buffer.concat([prefix, answer]));
        });
        pending = pending.subarray(2 + length);
      }
    });
  });
  const port = await listenOnOnePort(udp, tcp);

  return {
    address: `127.0.0.1:${port}`,
    queries,
    setBehaviour(behaviour, name) {
      if (name === undefined) everywhere = behaviour;
      else behaviours.set(name.toLowerCase(), behaviour);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

function answerTo(
  query: packet.DecodedPacket,
  question: packet.Question,
  zone: Zone,
  behaviour: Behaviour,
  transport: Query['transport'],
): packet.Packet {
  const truncated = behaviour === 'truncated' && transport === 'udp';
  const [rcode, answers] =
    behaviour === 'refusing'
      ? [RCODE.REFUSED, []]
      : behaviour === 'servfail'
        ? [RCODE.SERVFAIL, []]
        : recordsOf(question, zone);
  const id = (query.id ?? 0) ^ (behaviour === 'wrong_id' ? 1 : 0);
  const asked = behaviour === 'wrong_name' ? { ...question, name: `not-${question.name}` } : question;
  return {
    type: 'response',
    id,
    flags:
      packet.RECURSION_DESIRED |
      packet.RECURSION_AVAILABLE |
      (truncated ? packet.TRUNCATED_RESPONSE : 0) |
      rcode,
    questions: [asked],
    answers: truncated
      ? []
      : answers.map((answer) => ({ ...answer, name: answer.name.replace(question.name, asked.name) })),
  };
}

function recordsOf(question: packet.Question, zone: Zone): [rcode: number, answers: packet.Answer[]] {
  const entry = zone[question.name.toLowerCase()];
  if (!entry) return [RCODE.NXDOMAIN, []];
  const { name } = question;
  const ttl = 300;
  if (entry.CNAME !== undefined) {
    const [rcode, answers] = recordsOf({ ...question, name: entry.CNAME }, zone);
    return [rcode, [{ type: 'CNAME', name, ttl, data: entry.CNAME }, ...answers]];
  }
  switch (question.type) {
    case 'MX':
      return [RCODE.NOERROR, (entry.MX ?? []).map((data) => ({ type: 'MX', name, ttl, data: { ...data } }))];
    case 'A':
      return [RCODE.NOERROR, (entry.A ?? []).map((data) => ({ type: 'A', name, ttl, data }))];
    case 'AAAA':
      return [RCODE.NOERROR, (entry.AAAA ?? []).map((data) => ({ type: 'AAAA', name, ttl, data }))];
    default:
      return [RCODE.NOERROR, []];
  }
}

/** UDP picks a free port; TCP may find the same number taken, and then both try again. */
async function listenOnOnePort(
  udp: ReturnType<typeof createSocket>,
  tcp: ReturnType<typeof createServer>,
): Promise<number> {
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const address = tcp.address();
  if (address === null || typeof address === 'string') throw new Error('the TCP socket has no port');
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(address.port, '127.0.0.1', resolve);
  });
  return address.port;
}
