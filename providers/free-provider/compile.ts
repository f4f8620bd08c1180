import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getDomain, getDomainWithoutSuffix } from 'tldts';
import { parse } from 'yaml';
import { loadTellingNames } from '../disposable/load.ts';
import { tellingName } from '../disposable/telling-name.ts';
import { loadTable } from '../typo/load.ts';
import { suggest } from '../typo/suggest.ts';
import { writeFreeDomains } from './free-domains.ts';

const require = createRequire(import.meta.url);

const PACKAGE = 'email-providers';

const DISPOSABLE = [
  'disposable-domains/index.json',
  'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
];

const TWO_LABELS = /^[a-z0-9-]+\.[a-z0-9-]+$/;

export interface Correction {
  /** Where the domains can be looked up; corrections of `keep` and `remove` have a reason instead. */
  readonly source?: string;
  readonly reason?: string;
  /** When it was looked through last, `YYYY-MM-DD`. */
  readonly date: string;
  readonly domains: readonly string[];
}

export interface Corrections {
  readonly add: readonly Correction[];
  readonly keep: readonly Correction[];
  readonly remove: readonly Correction[];
}

export function loadCorrections(): Corrections {
  return parse(readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'));
}

/** The text of `data/domains.txt`: the package's list, corrected, less everything that is listed or named as disposable, and misspellings. */
export function compileFreeDomains(corrections: Corrections): string {
  const parts = [...corrections.add, ...corrections.keep, ...corrections.remove];
  return writeFreeDomains({
    version: versionOf(PACKAGE),
    corrections: domainsOf(parts).length,
    correctedOn: parts.map(({ date }) => date).reduce((one, other) => (one > other ? one : other)),
    domains: freeDomains(corrections),
  });
}

function freeDomains({ add, keep, remove }: Corrections): ReadonlySet<string> {
  const candidates = [
    ...readList(`${PACKAGE}/all.json`),
    ...tableDomains().filter((domain) => !domain.includes('<cc>')),
    ...domainsOf(add),
  ];
  const disposable = new Set(DISPOSABLE.flatMap(readList));
  const names = loadTellingNames();
  const misspellings = loadTable();
  const isOther = (domain: string) =>
    disposable.has(domain) ||
    disposable.has(parentOf(domain) ?? '') ||
    suggest(domain, misspellings) !== undefined ||
    tellingName(getDomainWithoutSuffix(domain, { allowPrivateDomains: true }) ?? '', names) !== undefined;
  const free = new Set([...candidates.filter((domain) => !isOther(domain)), ...domainsOf(keep)]);
  for (const domain of domainsOf(remove)) free.delete(domain);
  return free;
}

/** The domains of the mailbox providers whose rules the canonical form follows, without those for companies; a last label can be `<cc>`. */
export function tableDomains(): readonly string[] {
  const {
    providers,
  }: { providers: readonly { readonly id: string; readonly domains: readonly string[] }[] } = parse(
    readFileSync(new URL('../../tables/mailbox-providers.yaml', import.meta.url), 'utf8'),
  );
  return providers.filter(({ id }) => id !== 'rackspace').flatMap(({ domains }) => domains);
}

/** The registrable domain; null for a name of two labels, which is its own or has none. */
function parentOf(domain: string): string | null {
  return TWO_LABELS.test(domain) ? null : getDomain(domain, { allowPrivateDomains: true });
}

function readList(file: string): readonly string[] {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'));
}

function domainsOf(corrections: readonly Correction[]): readonly string[] {
  return corrections.flatMap(({ domains }) => domains);
}

function versionOf(name: string): string {
  const manifest: { readonly version: string } = require(`${name}/package.json`);
  return manifest.version;
}
