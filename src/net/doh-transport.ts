import { encodeQuery } from './query.ts';
import type { Question, Questioner, Reply } from './question.ts';
import { onlyReply, readReply } from './read-reply.ts';

const MEDIA_TYPE = 'application/dns-message';
/** RFC 8484 section 4.1: so that caches on the way can help. */
const ID = 0;
/** What a length of two octets can say (RFC 1035 section 4.2.2); DNS knows no longer message. */
const MAX_OCTETS = 65_535;

/** DNS over HTTPS, RFC 8484, by POST: the body keeps the name out of the server's access log. */
export class DohTransport implements Questioner {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE },
        // What EDNS would say, the size of datagrams, means nothing here.
        body: new Uint8Array(encodeQuery(question, ID, { edns: false })),
        redirect: 'error',
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return { outcome: 'error' };
      }
      const body = await readBody(response);
      if (body === undefined) return { outcome: 'malformed' };
      return aged(onlyReply(readReply(body, question, ID)), Number(response.headers.get('age') ?? 0));
    } catch {
      // No route, no certificate that we trust, a connection that broke: the server was not reached.
      return { outcome: signal.aborted ? 'timeout' : 'error' };
    }
  }
}

/** Undefined when there is more than any answer can hold; too short for an id, it answers nothing. */
async function readBody(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_OCTETS) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** RFC 8484 section 5.1: what a cache on the way has used up of a life is gone. */
function aged(reply: Reply, ageSeconds: number): Reply {
  if (!('ttlSeconds' in reply) || reply.ttlSeconds === undefined || !(ageSeconds > 0)) return reply;
  return { ...reply, ttlSeconds: Math.max(0, reply.ttlSeconds - ageSeconds) };
}
