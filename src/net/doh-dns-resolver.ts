import packet from 'dns-packet';
import type { DnsAnswer, DnsResolver, MxRecord } from '../provider-kit/index.ts';
import { withDeadline } from './deadline.ts';
import { readDnsMessage } from './dns-message.ts';
import { bothFamilies, found, mxFound } from './dns-outcome.ts';
import { isLocalhost, isNeverAsked, LOOPBACK } from './special-names.ts';

const MEDIA_TYPE = 'application/dns-message';
const TIMEOUT = { outcome: 'timeout' } as const;

/** DNS over HTTPS, RFC 8484, by POST: the body keeps the name out of the server's access log. */
export class DohDnsResolver implements DnsResolver {
  readonly #url: string;
  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  async mx(domain: string, signal: AbortSignal): Promise<DnsAnswer<MxRecord>> {
    if (isNeverAsked(domain)) return { outcome: 'nxdomain' };
    return this.#ask(domain, 'MX', signal, (answers) =>
      mxFound(
        answers.flatMap((answer) =>
          answer.type === 'MX'
            ? [{ exchange: answer.data.exchange, preference: answer.data.preference ?? 0 }]
            : [],
        ),
      ),
    );
  }

  async addresses(host: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    if (isLocalhost(host)) return found(LOOPBACK);
    if (isNeverAsked(host)) return { outcome: 'nxdomain' };
    const family = (type: 'A' | 'AAAA') =>
      this.#ask(host, type, signal, (answers) =>
        found(answers.flatMap((answer) => (answer.type === type ? [answer.data] : []))),
      );
    const [v4, v6] = await Promise.all([family('A'), family('AAAA')]);
    return bothFamilies(v4, v6);
  }

  async #ask<Record>(
    name: string,
    type: 'MX' | 'A' | 'AAAA',
    caller: AbortSignal,
    read: (answers: readonly packet.Answer[]) => DnsAnswer<Record>,
  ): Promise<DnsAnswer<Record>> {
    return withDeadline<DnsAnswer<Record>>(this.#timeoutMs, caller, TIMEOUT, async (signal) => {
      try {
        const response = await fetch(this.#url, {
          method: 'POST',
          headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE },
          body: queryFor(name, type),
          redirect: 'error',
          signal,
        });
        if (response.status !== 200) {
          await response.body?.cancel();
          return { outcome: 'error' };
        }
        const message = readDnsMessage(new Uint8Array(await response.arrayBuffer()), name, type);
        return message.outcome === 'answered' ? read(message.answers) : message;
      } catch {
        // No route, no certificate that we trust, a connection that broke: the server was not reached.
        return { outcome: 'error' };
      }
    });
  }
}

/** RFC 8484 section 4.1: id 0, so that caches on the way can help. */
function queryFor(name: string, type: 'MX' | 'A' | 'AAAA'): Uint8Array<ArrayBuffer> {
  const bytes = packet.encode({
    type: 'query',
    id: 0,
    flags: packet.RECURSION_DESIRED,
    questions: [{ type, name }],
  });
  return new Uint8Array(bytes);
}
