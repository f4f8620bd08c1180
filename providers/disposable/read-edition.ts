import { domainToASCII } from 'node:url';
import { nameOf, type SourceEntry } from './sources.ts';
import type { ListEdition } from './write-snapshot.ts';

/** A version of a list as it was published. */
export interface ReadEdition extends ListEdition {
  /** At which throw-away service a domain was seen, where the list says so. */
  serviceOf(domain: string): string | undefined;
}

/** Fewest domains of a version: one that was published empty or in another form would silently withdraw its vote from every domain. */
const FEWEST = 1_000;

/** Reads the domains of a version of a list from the text of its file. Throws where they are too few to be the list. */
export function readEdition(
  source: SourceEntry,
  { version, date }: SourceEntry['editions'][number],
  text: string,
): ReadEdition {
  const named = READERS[source.form](text, source);
  const domains = new Map(
    [...named].flatMap(([entry, firstSeen = date, service]) => {
      const domain = asDomain(entry);
      return domain === null ? [] : [[domain, { firstSeen, service }] as const];
    }),
  );
  const edition = `${nameOf(source)}@${version}`;
  if (domains.size < FEWEST) throw new Error(`${edition} has ${domains.size} domains only`);
  return {
    source: { id: source.id, version: edition, licence: source.licence, date },
    domains: [...domains.keys()],
    seen: (domain) => ({ firstSeen: domains.get(domain)?.firstSeen ?? date, lastSeen: date }),
    serviceOf: (domain) => domains.get(domain)?.service,
  };
}

/** An A-label in lower case with a dot in it; `*.example.com` is `example.com`. */
function asDomain(entry: string): string | null {
  const name = entry
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '');
  const domain = /^[!-~]+$/.test(name) ? name : domainToASCII(name);
  return /^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain)
    ? domain
    : null;
}

type Named = Iterable<readonly [domain: string, firstSeen?: string, service?: string]>;

const READERS: Readonly<Record<SourceEntry['form'], (text: string, source: SourceEntry) => Named>> = {
  json: (text) => (JSON.parse(text) as readonly string[]).map((domain) => [domain]),
  quoted: (text) =>
    [...text.matchAll(/["']([a-z0-9-]+(?:\.[a-z0-9-]+)+)["']/g)].map(([, domain = '']) => [domain]),
  lines: (text, { variable = '' }) => {
    const start = text.indexOf(`var ${variable} = "`);
    if (start === -1) throw new Error(`there is no variable "${variable}"`);
    const from = text.indexOf('"', start);
    const lines: string = JSON.parse(text.slice(from, text.indexOf('";', from) + 1));
    return lines.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : [[line]]));
  },
  // Its own last days are not read: they tell when it last saw a domain at a service, and it names the domain for a year from then.
  fakefilter: (text) => {
    const { domains }: { domains: Readonly<Record<string, { firstseen: number; provider: string }>> } =
      JSON.parse(text);
    return Object.entries(domains).map(([domain, { firstseen, provider }]) => [
      domain,
      monthOf(firstseen),
      provider,
    ]);
  },
};

/** The first of the month: exact days would give nearly every domain a ballot of its own. */
function monthOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 7)}-01`;
}
