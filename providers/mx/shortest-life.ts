import type { DnsAnswer, DnsResolver } from 'postern/provider-kit';

/** Passes questions on, and keeps the shortest life of all answers: findings made of them hold as long. */
export class ShortestLife implements DnsResolver {
  readonly #dns: DnsResolver;
  #seconds: number | undefined;

  constructor(dns: DnsResolver) {
    this.#dns = dns;
  }

  /** Undefined while no answer said how long it holds. */
  get seconds(): number | undefined {
    return this.#seconds;
  }

  async mx(...question: Parameters<DnsResolver['mx']>) {
    return this.#note(await this.#dns.mx(...question));
  }

  async addresses(...question: Parameters<DnsResolver['addresses']>) {
    return this.#note(await this.#dns.addresses(...question));
  }

  #note<Record>(answer: DnsAnswer<Record>): DnsAnswer<Record> {
    const seconds = 'ttlSeconds' in answer ? answer.ttlSeconds : undefined;
    if (seconds !== undefined) this.#seconds = Math.min(this.#seconds ?? seconds, seconds);
    return answer;
  }
}
