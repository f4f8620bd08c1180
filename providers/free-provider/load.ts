import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getDomain } from 'tldts';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);

const DISPOSABLE = [
  'disposable-domains/index.json',
  'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
] as const;

interface Corrections {
  readonly add: readonly { readonly source: string; readonly domains: readonly string[] }[];
  readonly keep: readonly string[];
  readonly remove: readonly { readonly reason: string; readonly domains: readonly string[] }[];
}

/** The package's list, corrected, less everything that is listed as disposable. */
export function loadFreeDomains(): ReadonlySet<string> {
  const listed = readList('email-providers/all.json');
  const { add, keep, remove }: Corrections = parse(
    readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'),
  );
  const disposable = disposableAmong(new Set(listed.flatMap((domain) => [domain, registrable(domain)])));
  const isDisposable = (domain: string) => disposable.has(domain) || disposable.has(registrable(domain));
  const free = new Set([...listed.filter((domain) => !isDisposable(domain)), ...keep]);
  for (const { domains } of add) for (const domain of domains) free.add(domain);
  for (const { domains } of remove) for (const domain of domains) free.delete(domain);
  return free;
}

/** Of 140,000 domains only those that are asked about are kept, while the rest is loaded. */
function disposableAmong(asked: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(DISPOSABLE.flatMap((file) => readList(file).filter((domain) => asked.has(domain))));
}

function registrable(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? '';
}

/** Not by `require`, which would keep the whole array for as long as the process lives. */
function readList(file: string): readonly string[] {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'));
}

export function versionOf(name: string): string {
  const manifest: { readonly version: string } = require(`${name}/package.json`);
  return manifest.version;
}
