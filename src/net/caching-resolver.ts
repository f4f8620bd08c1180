import type { Answer } from 'dns-packet';
import type { DnsAnswer, DnsResolver, MxRecord } from '../provider-kit/index.ts';
import { unlessAborted, withDeadline } from './deadline.ts';
import { DnsCache } from './dns-cache.ts';
import { answerOf, bothFamilies, readAddresses, readExchanges } from './dns-outcome.ts';
import type { Question, Questioner } from './question.ts';
import { isLocalhost, isNeverAsked, LOOPBACK } from './special-names.ts';

const TIMEOUT = { outcome: 'timeout' } as const;
const NXDOMAIN = { outcome: 'nxdomain' } as const;

/** Answers from what it keeps, else from the client; no question takes longer than `timeoutMs`, whatever happens. */
export class CachingResolver implements DnsResolver {
  readonly #client: Questioner;
  readonly #timeoutMs: number;
  readonly #mx: DnsCache<MxRecord>;
  readonly #v4: DnsCache<string>;
  readonly #v6: DnsCache<string>;

  /** `now`: milliseconds that only grow. */
  constructor(client: Questioner, timeoutMs: number, now: () => number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#mx = new DnsCache(now);
    this.#v4 = new DnsCache(now);
    this.#v6 = new DnsCache(now);
  }

  async mx(domain: string, signal: AbortSignal): Promise<DnsAnswer<MxRecord>> {
    if (isNeverAsked(domain)) return NXDOMAIN;
    return this.#ask(this.#mx, { name: domain, type: 'MX' }, readExchanges, signal);
  }

  async addresses(host: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    if (isLocalhost(host)) return { outcome: 'found', records: LOOPBACK };
    if (isNeverAsked(host)) return NXDOMAIN;
    const [v4, v6] = await Promise.all([
      this.#ask(this.#v4, { name: host, type: 'A' }, readAddresses, signal),
      this.#ask(this.#v6, { name: host, type: 'AAAA' }, readAddresses, signal),
    ]);
    return bothFamilies(v4, v6);
  }

  /** Who gives up does so alone: the question goes on for the others, and for the cache. */
  #ask<Record>(
    cache: DnsCache<Record>,
    question: Question,
    read: (answers: readonly Answer[]) => readonly Record[],
    signal: AbortSignal,
  ): Promise<DnsAnswer<Record>> {
    const asked = cache.ask(question.name.toLowerCase(), async () => {
      const reply = await withDeadline(this.#timeoutMs, (budget) => this.#client.ask(question, budget));
      return answerOf(reply, read);
    });
    return unlessAborted<DnsAnswer<Record>>(signal, asked, TIMEOUT);
  }
}
