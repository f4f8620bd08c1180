import type { DnsAnswer, DnsResolver, MxRecord } from '../provider-kit/index.ts';

/** A name that exists wherever the public DNS does: the first root server (IANA root hints). */
export const PROOF_NAME = 'a.root-servers.net';
/** For so long a resolver that knew the proof is believed, and one that did not is not asked for it again. */
const BELIEVED_MS = 60_000;
const DOUBTED_MS = 5_000;

/** Many wait for one proof: nobody's giving up may spoil it. The resolver's own time-out bounds it. */
const NEVER = new AbortController().signal;

export interface SkepticalOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called each time the resolver is found out; for the log. */
  readonly onDoubt: () => void;
}

/**
 * Believes "no such name" and "no such record" only of a resolver that is connected to the DNS. Behind a
 * captive portal, a severed uplink or a walled network the system's resolver says NXDOMAIN to every
 * question, in a millisecond; taken at its word it would block every signup. Failures need no proof.
 */
export class SkepticalDnsResolver implements DnsResolver {
  readonly #inner: DnsResolver;
  readonly #options: SkepticalOptions;
  #verdict: { readonly connected: boolean; readonly until: number } | undefined;
  #proving: Promise<boolean> | undefined;

  constructor(inner: DnsResolver, options: SkepticalOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  async mx(domain: string, signal: AbortSignal): Promise<DnsAnswer<MxRecord>> {
    return this.#believe(await this.#inner.mx(domain, signal));
  }

  async addresses(host: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    return this.#believe(await this.#inner.addresses(host, signal));
  }

  async #believe<Record>(answer: DnsAnswer<Record>): Promise<DnsAnswer<Record>> {
    const isNegative = answer.outcome === 'nxdomain' || answer.outcome === 'nodata';
    if (!isNegative || (await this.#isConnected())) return answer;
    return { outcome: 'error' };
  }

  #isConnected(): Promise<boolean> | boolean {
    const { now } = this.#options;
    if (this.#verdict && now() < this.#verdict.until) return this.#verdict.connected;
    this.#proving ??= this.#prove().finally(() => {
      this.#proving = undefined;
    });
    return this.#proving;
  }

  async #prove(): Promise<boolean> {
    const connected = (await this.#inner.addresses(PROOF_NAME, NEVER)).outcome === 'found';
    this.#verdict = { connected, until: this.#options.now() + (connected ? BELIEVED_MS : DOUBTED_MS) };
    if (!connected) this.#options.onDoubt();
    return connected;
  }
}
