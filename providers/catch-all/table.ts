import { readFileSync } from 'node:fs';
import { closestSuffix } from 'postern/provider-kit';
import { parse } from 'yaml';

/** `never`: every address is an account that a person opened. `unknown`: it cannot be found out from outside. */
export type Policy = 'never' | 'unknown';

interface Group {
  readonly provider: string;
  readonly source: string;
}
type DomainFile = Readonly<Record<Policy, readonly (Group & { readonly domains: readonly string[] })[]>>;
type ExchangeFile = readonly (Group & { readonly suffixes: readonly string[] })[];

/** What is known without a look-up. */
export class Table {
  readonly #domains: ReadonlyMap<string, Policy>;
  readonly #exchanges: ReadonlySet<string>;

  constructor(domains: ReadonlyMap<string, Policy>, exchanges: ReadonlySet<string>) {
    this.#domains = domains;
    this.#exchanges = exchanges;
  }

  static load(): Table {
    const file: DomainFile = read('domains.yaml');
    const rows = (policy: Policy) =>
      file[policy].flatMap(({ domains }) => domains.map((domain) => [domain, policy] as const));
    const exchanges: ExchangeFile = read('exchanges.yaml');
    return new Table(
      new Map([...rows('never'), ...rows('unknown')]),
      new Set(exchanges.flatMap(({ suffixes }) => suffixes)),
    );
  }

  get sizes(): { readonly domains: number; readonly exchanges: number } {
    return { domains: this.#domains.size, exchanges: this.#exchanges.size };
  }

  /** Subdomains of an `unknown` domain are `unknown` too; a `never` domain says nothing about its subdomains. */
  policyOf(domain: string): Policy | undefined {
    const policy = this.#domains.get(domain);
    if (policy !== undefined) return policy;
    const isUnknowable = { has: (name: string) => this.#domains.get(name) === 'unknown' };
    return closestSuffix(domain, isUnknowable) === undefined ? undefined : 'unknown';
  }

  /** Whether the reply of this host about a recipient would tell nothing. */
  isBeyondAsking(exchange: string): boolean {
    return closestSuffix(exchange, this.#exchanges) !== undefined;
  }
}

function read<File>(name: string): File {
  return parse(readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8'));
}
