import { comparisonsOf, isReference } from '../conditions.ts';
import {
  isExpired,
  LIST_PREFIX,
  type NamedListDefinition,
  type NamedListEntry,
  type Rule,
} from '../definitions.ts';
import { ProblemList } from '../problem.ts';
import type { LintContext } from './context.ts';
import { tellOfList } from './read-named-lists.ts';
import { REGISTRABLE, TLD, whyUnseen } from './unseen-domain.ts';

/** Reports entries of named lists that make no difference: no address matches them, or another entry matches all that they do. */
export function checkListEntries(
  rules: readonly Rule[],
  { lists, problems }: Pick<LintContext, 'lists' | 'problems'>,
  now: number,
): void {
  const comparisons = rules.flatMap(({ conditions }) => comparisonsOf(conditions));
  for (const list of lists.values()) {
    const id = `${LIST_PREFIX}${list.name}`;
    const lookups = comparisons.filter(({ value }) => isReference(value) && value.fact === id);
    const facts = lookups.map(({ fact }) => fact);
    const told = new ProblemList();
    const inForce = list.entries.filter((entry) => !isExpired(entry, now));
    const suffixes = suffixesOf(inForce);
    for (const entry of inForce) {
      const place = { ...list.place, line: entry.line };
      const never = whyNever(entry, facts);
      const wider = never ? undefined : widerThan(entry, suffixes);
      if (never) told.report('entry_never_fits', place, ...never);
      else if (wider) {
        const message = `"${entry.value}" is in the list by "${wider.value}" of line ${wider.line} already`;
        told.report('covered_entry', place, message);
      }
    }
    tellOfList(told, list.place, problems);
  }
}

/** Why no address matches the entry, and what was meant. `facts`: the facts that rules look up in the list. */
function whyNever(
  { key, value }: NamedListEntry,
  facts: readonly string[],
): readonly [message: string, hint: string] | undefined {
  const isSuffix = key.startsWith('.');
  const name = isSuffix ? key.slice(1) : key;
  const unseen = whyUnseen(name, facts);
  if (!unseen) return undefined;
  const { because, instead } = unseen;
  // `.co.uk` does match: names are registered below a public suffix.
  if (instead === null && isSuffix) return undefined;
  // A top-level domain may stand in a list only with the dot.
  const isDotted = isSuffix || instead === null || because === 'several_labels';
  const hint = `${isDotted ? '.' : ''}${instead ?? name}`;
  if (because === 'counts_as_another') {
    const why = `an address at ${name} counts as one at ${instead}`;
    return [`${why}: rules never see the domain of "${value}"`, hint];
  }
  const fact = because === 'several_labels' ? `${TLD}, the last label alone,` : REGISTRABLE;
  return [`rules look for ${fact} in this list, which is never "${value}"`, hint];
}

type Suffixes = ReadonlyMap<string, NamedListEntry>;

/** Entries `.x.org` by their name without the dot; where a name stands twice, the entry that expires later. */
function suffixesOf(entries: NamedListDefinition['entries']): Suffixes {
  const found = new Map<string, NamedListEntry>();
  for (const entry of entries) {
    if (!entry.key.startsWith('.')) continue;
    const name = entry.key.slice(1);
    const other = found.get(name);
    if (!other || !holdsAsLong(other, entry)) found.set(name, entry);
  }
  return found;
}

/** Another entry that matches all that this one does, and expires no sooner. */
function widerThan(entry: NamedListEntry, suffixes: Suffixes): NamedListEntry | undefined {
  // For `.x.org` look at the names above it; for `x.org` also at `.x.org`, which matches the domain itself.
  const labels = entry.key.split('.').slice(entry.key.startsWith('.') ? 2 : 0);
  return labels
    .map((_, from) => suffixes.get(labels.slice(from).join('.')))
    .find((wider) => wider !== undefined && holdsAsLong(wider, entry));
}

function holdsAsLong(one: NamedListEntry, other: NamedListEntry): boolean {
  return one.expires === null || (other.expires !== null && one.expires >= other.expires);
}
