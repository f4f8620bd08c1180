import { hash } from 'node:crypto';
import { closestSuffix } from '../provider-kit/index.ts';

/** How many lists, and how many entries in each, rules can have; YAML takes a hundred times as long to read as a line of text. */
export const MOST_LISTS = 100;
export const MOST_ENTRIES = { txt: 200_000, yaml: 10_000 } as const;

/**
 * The entries in force of a list of the rules directory, `lists/<name>.yaml` or `lists/<name>.txt`: `example.org` names the domain,
 * `.example.org` what lies below it as well. Rules name it by `in_list`; json-rules-engine is given its name alone, since it would
 * copy the whole list at every run. Plain data, since a rule set is sent between processes.
 */
export interface NamedList {
  readonly name: string;
  /** 16 hex digits over the entries. Order, reasons, owners and dates are not in it. */
  readonly digest: string;
  /** As `listKey` writes them. */
  readonly domains: ReadonlySet<string>;
  /** Without the dot at their front. */
  readonly suffixes: ReadonlySet<string>;
}

/** The thresholds and named lists of a rule set, by `threshold.<name>` and `list.<name>`. */
export type Constants = Readonly<Record<string, number | NamedList>>;

/** `entries`: as `listKey` writes them. */
export function compileNamedList(name: string, entries: Iterable<string>): NamedList {
  const all = [...new Set(entries)].sort();
  return {
    name,
    digest: hash('sha256', all.join('\n')).slice(0, 16),
    domains: new Set(all.filter((entry) => !entry.startsWith('.'))),
    suffixes: new Set(all.filter((entry) => entry.startsWith('.')).map((entry) => entry.slice(1))),
  };
}

export function isNamedList(value: unknown): value is NamedList {
  return typeof value === 'object' && value !== null && 'suffixes' in value;
}

/** The closest entry that names the domain: itself, or the longest suffix. */
export function entryNaming(domain: string, { domains, suffixes }: NamedList): string | undefined {
  if (domains.has(domain)) return domain;
  const suffix = suffixes.size === 0 ? undefined : closestSuffix(domain, suffixes);
  return suffix === undefined ? undefined : `.${suffix}`;
}
