import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import { parse } from 'yaml';
import { DomainSet } from './domain-set.ts';

const require = createRequire(import.meta.url);

/** npm packages and where in each the plain list of domains lies. */
const LISTS = [
  { name: 'disposable-domains', file: 'disposable-domains/index.json' },
  {
    name: 'disposable-email-domains-js',
    file: 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
  },
] as const;

export interface DomainList {
  readonly name: string;
  readonly version: string;
  readonly domains: Pick<DomainSet, 'has' | 'size'> & Iterable<string>;
}

export interface Exemption {
  readonly domain: string;
  readonly kind: 'relay' | 'free_provider' | 'tool' | 'company' | 'host';
  readonly reason: string;
  readonly source: string;
}

export function loadLists(): readonly DomainList[] {
  return LISTS.map(({ name, file }) => {
    // Not by `require`, which would keep the whole array for as long as the process lives.
    const entries: readonly string[] = JSON.parse(readFileSync(require.resolve(file), 'utf8'));
    const manifest: { readonly version: string } = require(`${name}/package.json`);
    // A package that was published empty would quietly switch the signal off.
    if (entries.length < 1_000)
      throw new Error(`${name} ${manifest.version} has ${entries.length} domains only`);
    return { name, version: manifest.version, domains: new DomainSet(entries.map(toAscii)) };
  });
}

/** A dozen entries are written in Unicode; an address is asked about by its A-labels (RFC 5890). */
function toAscii(domain: string): string {
  return /^[!-~]+$/.test(domain) ? domain : domainToASCII(domain);
}

export function loadExemptions(): ReadonlyMap<string, Exemption> {
  const file = new URL('./data/exempt.yaml', import.meta.url);
  const entries: readonly Exemption[] = parse(readFileSync(file, 'utf8'));
  return new Map(entries.map((entry) => [entry.domain, entry]));
}
