import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import type { nameServerOf } from '../lib/service-url.ts';
import { unlessAborted } from '../lib/time.ts';
import { traceHeaders } from '../observability/tracing.ts';
import {
  type Ask,
  encodeQuery,
  onlyReply,
  type Question,
  type Reading,
  readReply,
  type ServerReply,
} from './dns-message.ts';
import { readUpTo } from './http-exchange.ts';

type ServerAddress = NonNullable<ReturnType<typeof nameServerOf>>;

/** Asks one server over UDP, and again over TCP where the reply is truncated. */
export function askByDatagram(server: ServerAddress): Ask<ServerReply> {
  return async (question, signal) => {
    let reading = await exchangeDatagrams(server, question, true, signal);
    if (reading === 'format_error') reading = await exchangeDatagrams(server, question, false, signal);
    return reading === 'truncated' ? askOverTcp(server, question, signal) : onlyReply(reading);
  };
}

/**
 * Every question has a socket, and so a port, of its own, and a random id (RFC 5452). The socket is connected: the kernel drops
 * datagrams from elsewhere. A reply to another question is ignored, and waiting goes on.
 */
async function exchangeDatagrams(
  { host, port, family }: ServerAddress,
  question: Question,
  edns: boolean,
  signal: AbortSignal,
): Promise<Reading> {
  const id = randomInt(2 ** 16);
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  const { promise, resolve } = Promise.withResolvers<Reading>();
  // Nothing listens there, no route, no file descriptor left: the server was not asked.
  const fail = () => resolve({ outcome: 'error' });
  socket.on('error', fail);
  socket.on('message', (bytes) => {
    const reading = readReply(bytes, question, id);
    if (reading !== 'not_ours') resolve(reading);
  });
  socket.connect(port, host, (error?: Error) => {
    if (error) fail();
    else if (!signal.aborted) socket.send(encodeQuery(question, id, edns), (failed) => failed && fail());
  });
  try {
    return await unlessAborted(signal, promise, { outcome: 'timeout' });
  } finally {
    socket.close();
  }
}

/** Asks one server over a new TCP connection (RFC 7766). */
async function askOverTcp(
  { host, port }: ServerAddress,
  question: Question,
  signal: AbortSignal,
): Promise<ServerReply> {
  const id = randomInt(2 ** 16);
  const query = encodeQuery(question, id);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  const socket = connect({ host, port, noDelay: true, signal });
  // One write: some servers take a length that arrives alone for the whole message (RFC 7766 section 8).
  socket.write(Buffer.concat([length, query]));
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      const message = firstMessage(received);
      if (message) return onlyReply(readReply(message, question, id));
    }
  } catch {
    return { outcome: signal.aborted ? 'timeout' : 'error' };
  }
  // Closed before the whole answer: cut off if it had begun, else never answered.
  return { outcome: received.length > 0 ? 'malformed' : 'error' };
}

/** RFC 1035 section 4.2.2: each message follows its length in two octets; undefined while it is not whole. */
function firstMessage(received: Buffer): Buffer | undefined {
  if (received.length < 2) return undefined;
  const end = 2 + received.readUInt16BE(0);
  return received.length < end ? undefined : received.subarray(2, end);
}

const MEDIA_TYPE = 'application/dns-message';
/** RFC 8484 section 4.1: always 0, so that HTTP caches on the way can help. */
const ID = 0;
/** The most that a length of two octets can express (RFC 1035 section 4.2.2): no DNS message is longer. */
const MAX_OCTETS = 65_535;

/** DNS over HTTPS, RFC 8484, by POST: the body keeps the name out of the server's access log. */
export function askOverHttps(url: string): Ask<ServerReply> {
  return async (question, signal) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...traceHeaders.getStore(), accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE },
        // No EDNS: the size of datagrams means nothing over HTTPS.
        body: new Uint8Array(encodeQuery(question, ID, false)),
        redirect: 'error',
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return { outcome: 'error' };
      }
      const body = await readUpTo(MAX_OCTETS, response.body ?? []);
      if (body === undefined) return { outcome: 'malformed' };
      return aged(onlyReply(readReply(body, question, ID)), Number(response.headers.get('age') ?? 0));
    } catch {
      // No route, no certificate that we trust, a connection that broke: the server was not reached.
      return { outcome: signal.aborted ? 'timeout' : 'error' };
    }
  };
}

/** RFC 8484 section 5.1: subtracts the time that the reply spent in HTTP caches from its TTL. */
function aged(reply: ServerReply, ageSeconds: number): ServerReply {
  if (!('ttlSeconds' in reply) || reply.ttlSeconds === undefined || !(ageSeconds > 0)) return reply;
  return { ...reply, ttlSeconds: Math.max(0, reply.ttlSeconds - ageSeconds) };
}
