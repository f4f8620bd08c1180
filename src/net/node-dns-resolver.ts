import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, DnsResolver, MxRecord } from '../provider-kit/index.ts';
import { withDeadline } from './deadline.ts';
import { bothFamilies, found, mxFound, outcomeOfCode } from './dns-outcome.ts';
import { isLocalhost, isNeverAsked, LOOPBACK } from './special-names.ts';

const TIMEOUT = { outcome: 'timeout' } as const;

/** Asks the system's or the configured servers through node's c-ares, under our own timer. */
export class NodeDnsResolver implements DnsResolver {
  readonly #servers: readonly string[];
  readonly #timeoutMs: number;

  /** `servers` as `ip` or `ip:port`; none means the system's. Throws on a server that is no address. */
  constructor(servers: readonly string[], timeoutMs: number) {
    this.#servers = servers;
    this.#timeoutMs = timeoutMs;
    this.#open();
  }

  async mx(domain: string, signal: AbortSignal): Promise<DnsAnswer<MxRecord>> {
    if (isNeverAsked(domain)) return { outcome: 'nxdomain' };
    return this.#ask(signal, async (resolver) => {
      const records = await resolver.resolveMx(domain);
      return mxFound(records.map(({ exchange, priority }) => ({ exchange, preference: priority })));
    });
  }

  async addresses(host: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    if (isLocalhost(host)) return found(LOOPBACK);
    if (isNeverAsked(host)) return { outcome: 'nxdomain' };
    const [v4, v6] = await Promise.all([
      this.#ask(signal, async (resolver) => found(await resolver.resolve4(host))),
      this.#ask(signal, async (resolver) => found(await resolver.resolve6(host))),
    ]);
    return bothFamilies(v4, v6);
  }

  async #ask<Record>(
    caller: AbortSignal,
    question: (resolver: Resolver) => Promise<DnsAnswer<Record>>,
  ): Promise<DnsAnswer<Record>> {
    return withDeadline<DnsAnswer<Record>>(this.#timeoutMs, caller, TIMEOUT, async (signal) => {
      const resolver = this.#open();
      signal.addEventListener('abort', () => resolver.cancel(), { once: true });
      try {
        return await question(resolver);
      } catch (error) {
        return { outcome: outcomeOfCode(error) };
      }
    });
  }

  /**
   * One for each question: `cancel` ends all that a Resolver has under way, and each question gets a source port
   * of its own (RFC 5452). Costs 0.08 ms. A lost packet is asked again after a third of our time.
   */
  #open(): Resolver {
    const resolver = new Resolver({ timeout: Math.ceil(this.#timeoutMs / 3), tries: 2 });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    return resolver;
  }
}
