import { readAddress } from '../../email/read-address.ts';
import { type DownloadedList, listKey } from '../../provider-kit/index.ts';
import { entryKey } from '../../rules/list-entries.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { BySide } from '../backtest/case.ts';

type Lists = RuleSet['lists'];

/** The domains and addresses that a change of lists may say something else of: all others need not be judged again. */
export interface NamesConcerned {
  /** `known`: the canonical address, where it is one that stands in a list. */
  concern(domain: string, known: string | undefined): boolean;
  /** Domains of entries that are normalized to another one, under which alone records have them. */
  readonly unseen: readonly string[];
}

interface Downloads {
  readonly before: readonly DownloadedList[];
  readonly after: readonly DownloadedList[];
}

export function namesConcerned(lists: BySide<Lists>, downloads: Downloads | null): NamesConcerned {
  const entries = [
    ...changedEntries(lists.base.allow, lists.candidate.allow),
    ...changedEntries(lists.base.deny, lists.candidate.deny),
  ];
  const addresses = new Set(entries.filter((key) => key.includes('@')));
  const domains = entries.filter((key) => !key.includes('@')).map((key) => key.replace(/^\./, ''));
  const names = new Set(domains);
  for (const domain of downloads ? changedDomains(downloads) : []) {
    // What is known of a domain counts for those beside it under one host.
    for (const name of upwards(domain)) if (name.includes('.')) names.add(name);
  }
  return {
    concern: (domain, known) =>
      (known !== undefined && addresses.has(listKey(known))) ||
      upwards(domain).some((name) => names.has(name)),
    unseen: domains.filter((domain) => canonicalDomain(domain) !== domain).sort(),
  };
}

function canonicalDomain(domain: string): string {
  const reading = readAddress(`x@${domain}`);
  return reading.ok ? reading.address.canonical.domain : domain;
}

/** Keys that only one side has. */
function changedEntries(before: Lists['allow'], after: Lists['allow']): readonly string[] {
  const keysOf = (list: Lists['allow']) => new Set(list.map(({ value }) => entryKey(value)));
  const [old, now] = [keysOf(before), keysOf(after)];
  return [...[...old].filter((key) => !now.has(key)), ...[...now].filter((key) => !old.has(key))];
}

/** Named by one side alone, or on other days. */
function* changedDomains({ before, after }: Downloads): Generator<string> {
  const old = recordsOf(before);
  const now = recordsOf(after);
  for (const [domain, record] of old) if (now.get(domain) !== record) yield domain;
  for (const domain of now.keys()) if (!old.has(domain)) yield domain;
}

/** `listed` while the newest version of a list names it, else the last day: the list's own date is another with each look. */
function recordsOf(lists: readonly DownloadedList[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const list of lists) {
    for (const [domain, { lastSeen }] of list.records()) {
      const state = lastSeen === list.date ? 'listed' : lastSeen;
      found.set(domain, `${found.get(domain) ?? ''} ${list.name} ${state}`);
    }
  }
  return found;
}

/** The domain and all that it is below. */
function upwards(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.map((_, from) => labels.slice(from).join('.'));
}
