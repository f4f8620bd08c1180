import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getDomain } from 'tldts';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);

interface Corrections {
  readonly add: readonly { readonly source: string; readonly domains: readonly string[] }[];
  readonly keep: readonly string[];
  readonly remove: readonly { readonly reason: string; readonly domains: readonly string[] }[];
}

/** The package's list, corrected, less everything that is listed as disposable. */
export function loadFreeDomains(): ReadonlySet<string> {
  const listed: readonly string[] = require('email-providers/all.json');
  const { add, keep, remove }: Corrections = parse(
    readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'),
  );
  const disposable = new Set<string>([
    ...require('disposable-domains/index.json'),
    ...require('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
  ]);
  const isDisposable = (domain: string) =>
    disposable.has(domain) || disposable.has(getDomain(domain, { allowPrivateDomains: true }) ?? '');
  const free = new Set([...listed.filter((domain) => !isDisposable(domain)), ...keep]);
  for (const { domains } of add) for (const domain of domains) free.add(domain);
  for (const { domains } of remove) for (const domain of domains) free.delete(domain);
  return free;
}

export function versionOf(name: string): string {
  const manifest: { readonly version: string } = require(`${name}/package.json`);
  return manifest.version;
}
