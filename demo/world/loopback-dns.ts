import { createSocket } from 'node:dgram';
import packet from 'dns-packet';
import { ADDRESS, lookUp } from './zone.ts';

const NXDOMAIN = 3;
const TTL_SECONDS = 300;

export interface LoopbackDns {
  /** `127.0.0.1:port`, for `dns.servers`. */
  readonly address: string;
  close(): Promise<void>;
}

/** The demo's zone on a free UDP port of this machine: no question of the service goes further. */
export async function startLoopbackDns(): Promise<LoopbackDns> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => {
    const answer = answerTo(bytes);
    if (answer) socket.send(answer, port, address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Null for what is no question. */
function answerTo(bytes: Buffer): Buffer | null {
  const query = readQuery(bytes);
  const question = query?.questions?.[0];
  if (!query || !question) return null;
  const name = question.name.toLowerCase();
  const entry = lookUp(name);
  return packet.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (entry === undefined ? NXDOMAIN : 0),
    questions: [question],
    answers: [...recordsOf(question, entry)],
  });
}

function readQuery(bytes: Buffer): packet.DecodedPacket | undefined {
  try {
    return packet.decode(bytes);
  } catch {
    return undefined;
  }
}

function recordsOf(
  { name, type }: packet.Question,
  entry: ReturnType<typeof lookUp>,
): readonly packet.Answer[] {
  const common = { name, ttl: TTL_SECONDS };
  if (type === 'A' && entry !== undefined && entry !== 'empty') {
    return [{ ...common, type: 'A', data: ADDRESS }];
  }
  if (type !== 'MX' || entry === undefined || typeof entry === 'string') return [];
  return entry.exchanges.map((exchange, n) => ({
    ...common,
    type: 'MX',
    data: { exchange, preference: 10 * (n + 1) },
  }));
}
