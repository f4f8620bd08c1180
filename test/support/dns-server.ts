import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import packet from 'dns-packet';
import { type Behaviour, meet, type Sending } from './dns-misbehaviour.ts';
import { answerFrom, type Soa, type Zone } from './dns-zone.ts';

export type { Behaviour } from './dns-misbehaviour.ts';
export type { Zone } from './dns-zone.ts';

export interface Query {
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
  readonly id: number;
  /** The client's port. */
  readonly port: number;
  /** The largest datagram that the client accepts, in octets; undefined without EDNS. */
  readonly udpPayloadSize: number | undefined;
}

export interface DnsServer {
  /** `127.0.0.1:port`, for `dns.servers`. */
  readonly address: string;
  /** Every question received, in order. */
  readonly queries: readonly Query[];
  /** Sets the behaviour for one name, or without `name` for all names that have none of their own. */
  setBehaviour(behaviour: Behaviour, name?: string): void;
  close(): Promise<void>;
}

/** A real DNS server on loopback, UDP and TCP on one free port. With `soa`, negative answers carry it. */
export async function startDnsServer(zone: Zone, { soa }: { readonly soa?: Soa } = {}): Promise<DnsServer> {
  const queries: Query[] = [];
  const behaviours = new Map<string, Behaviour>();
  let everywhere: Behaviour = 'healthy';
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<Socket>();

  const receive = (
    bytes: Buffer,
    transport: Query['transport'],
    port: number,
    send: (sending: Sending, behaviour: Behaviour) => void,
  ): void => {
    const query = packet.decode(bytes);
    const question = query.questions?.[0];
    if (!question) return;
    const name = question.name.toLowerCase();
    const opt = query.additionals?.find((record) => record.type === 'OPT');
    queries.push({
      name,
      type: question.type,
      transport,
      id: query.id ?? 0,
      port,
      udpPayloadSize: opt?.udpPayloadSize,
    });
    const behaviour = behaviours.get(name) ?? everywhere;
    const sendings = meet(behaviour, query, bytes, answerFrom(question, zone, soa), transport === 'udp');
    const sendAll = () => {
      for (const sending of sendings) send(sending, behaviour);
    };
    if (typeof behaviour === 'string' || !('slowMs' in behaviour)) {
      sendAll();
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      sendAll();
    }, behaviour.slowMs);
    timers.add(timer);
  };

  const udp = createSocket('udp4');
  const stranger = createSocket('udp4');
  udp.on('message', (bytes, peer) => {
    receive(bytes, 'udp', peer.port, (sending) => {
      (sending.stranger ? stranger : udp).send(sending.bytes, peer.port, peer.address, () => {});
    });
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
        receive(pending.subarray(2, 2 + length), 'tcp', socket.remotePort ?? 0, ({ bytes }, behaviour) =>
          sendOver(socket, bytes, behaviour),
        );
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
        new Promise<void>((resolve) => stranger.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

function sendOver(socket: Socket, message: Buffer, behaviour: Behaviour): void {
  const manner = typeof behaviour === 'object' && 'overTcp' in behaviour ? behaviour.overTcp : undefined;
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(message.length);
  const whole = Buffer.concat([prefix, message]);
  if (manner === 'hang_up') socket.end();
  else if (manner === 'hang_up_halfway') socket.end(whole.subarray(0, whole.length / 2));
  else if (manner === 'octet_by_octet') sendSlowly(socket, whole);
  else socket.write(whole);
}

/** Sends each octet in its own segment, the next once the last was written. */
function sendSlowly(socket: Socket, bytes: Buffer): void {
  socket.setNoDelay(true);
  const [first, rest] = [bytes.subarray(0, 1), bytes.subarray(1)];
  if (first.length > 0) socket.write(first, () => setImmediate(() => sendSlowly(socket, rest)));
}

/** TCP picks a free port and UDP binds the same number; where that is taken for UDP, both try another. */
async function listenOnOnePort(
  udp: ReturnType<typeof createSocket>,
  tcp: ReturnType<typeof createServer>,
): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const address = tcp.address();
    if (address === null || typeof address === 'string') throw new Error('the TCP socket has no port');
    const isBound = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false));
      udp.bind(address.port, '127.0.0.1', () => resolve(true));
    });
    udp.removeAllListeners('error');
    if (isBound) return address.port;
    await new Promise<void>((resolve) => tcp.close(() => resolve()));
  }
}
