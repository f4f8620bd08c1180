import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Dated {
  readonly date: string;
}

interface Popular extends Dated {
  readonly source: string;
  readonly spelling: 'near' | 'ending';
  readonly domains: readonly string[];
}

/** By the right form, its wrong forms. */
type Wrong = Dated & { readonly source: string } & Readonly<Record<string, readonly string[] | string>>;

interface Real extends Dated {
  readonly reason: string;
  readonly domains: readonly string[];
}

interface File {
  readonly popular: readonly Popular[];
  readonly endings: readonly Wrong[];
  readonly elsewhere: readonly Wrong[];
  readonly mistakes: readonly Wrong[];
  readonly real: readonly Real[];
}

/** A name before an ending, such as `gmail` before `com`. */
export interface Candidate {
  readonly name: string;
  readonly domain: string;
}

export interface Table {
  /** Every suggestion that there can be, the biggest first. */
  readonly popular: ReadonlySet<string>;
  /** By ending, the popular domains whose name is corrected when it is nearly right. */
  readonly near: ReadonlyMap<string, readonly Candidate[]>;
  readonly endings: ReadonlyMap<string, string>;
  /** Endings that exist, at which none of the popular domains of another ending has a mailbox. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly mistakes: ReadonlyMap<string, string>;
  readonly real: ReadonlySet<string>;
  /** The date of the newest part. */
  readonly date: string;
}

export function loadTable(): Table {
  const file: File = parse(readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'));
  const near = new Map<string, Candidate[]>();
  for (const domain of file.popular.filter(({ spelling }) => spelling === 'near').flatMap(domainsOf)) {
    const [name, ending] = splitDomain(domain);
    near.set(ending, [...(near.get(ending) ?? []), { name, domain }]);
  }
  const dates = Object.values(file).flatMap((part: readonly Dated[]) => part.map(({ date }) => date));
  return {
    popular: new Set(file.popular.flatMap(domainsOf)),
    near,
    endings: byWrongForm(file.endings),
    elsewhere: byWrongForm(file.elsewhere),
    mistakes: byWrongForm(file.mistakes),
    real: new Set(file.real.flatMap(domainsOf)),
    date: dates.sort().at(-1) ?? 'none',
  };
}

/** `gmail.com` is `gmail` and `com`; an ending can have several labels. */
export function splitDomain(domain: string): readonly [name: string, ending: string] {
  const dot = domain.indexOf('.');
  return [domain.slice(0, dot), domain.slice(dot + 1)];
}

function domainsOf({ domains }: { readonly domains: readonly string[] }): readonly string[] {
  return domains;
}

function byWrongForm(parts: readonly Wrong[]): ReadonlyMap<string, string> {
  return new Map(
    parts.flatMap(({ source, date, ...forms }) =>
      Object.entries(forms).flatMap(([right, wrong]) => [...wrong].map((form) => [form, right] as const)),
    ),
  );
}
