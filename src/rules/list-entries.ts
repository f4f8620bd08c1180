import { readAddress } from '../email/read-address.ts';
import { listKey } from '../provider-kit/index.ts';
import { type DatedListEntry, isExpired } from './definitions.ts';
import { itemsOf, openMap } from './lint/fields.ts';
import { describePlace, type ProblemList } from './problem.ts';
import type { Located } from './yaml-document.ts';

/**
 * An entry `j.doe+1@googlemail.com` means the mailbox, not one way to write it: an entry that is an
 * address stands for its canonical form, as every address that it is compared with.
 */
export function canonicalEntry(value: string): string {
  if (!value.includes('@')) return value;
  const reading = readAddress(value);
  return reading.ok ? reading.address.canonical.address : value;
}

/** Entries of one key fit the same addresses, however each is written. */
export function entryKey(value: string): string {
  return listKey(canonicalEntry(value));
}

const ENTRY = { what: 'an entry', required: ['value', 'reason', 'owner'], optional: ['expires'] };
/** `allow.yaml` or `deny.yaml`; a file with nothing but comments is an empty list. */
export function readListFile(value: Located | undefined, problems: ProblemList): readonly DatedListEntry[] {
  if (!value) return [];
  const message = 'a list of { value, reason, owner, expires } stands here';
  return itemsOf(value, message, problems).flatMap((item) => readEntry(item, problems) ?? []);
}

function readEntry(item: Located, problems: ProblemList): DatedListEntry | undefined {
  const fields = openMap(item, ENTRY, problems);
  if (!fields) return undefined;
  const value = fields.text('value');
  const reason = fields.text('reason');
  const owner = fields.text('owner');
  const expires = fields.expiry('expires');
  const place = fields.placeOf('value');
  if (value !== undefined && !isListValue(value)) {
    const hint = value.startsWith('*.') && isListValue(value.slice(1)) ? value.slice(1) : undefined;
    problems.report('bad_list_value', place, `"${value}" is none of user@x.org, x.org and .x.org`, hint);
    return undefined;
  }
  if (value === undefined || reason === undefined || owner === undefined) return undefined;
  return { value, reason, owner, expires, place };
}

/** Any other would stand there and never fit an address: a wildcard, a part of a URL, a name that is read as an IP address. */
function isListValue(value: string): boolean {
  if (value.includes('@')) return readAddress(value).ok;
  const isSuffix = value.startsWith('.');
  const name = isSuffix ? value.slice(1) : value;
  const reading = readAddress(`x@${name}`);
  return (isSuffix || name.includes('.')) && reading.ok && reading.address.domain === listKey(name);
}

/** Entries that say the same twice, say opposite things, or no longer say anything. */
export function checkLists(
  allow: readonly DatedListEntry[],
  deny: readonly DatedListEntry[],
  now: number,
  problems: ProblemList,
): void {
  const allowed = indexList(allow, now, problems);
  const denied = indexList(deny, now, problems);
  for (const [value, entry] of denied) {
    const other = allowed.get(value);
    if (other) {
      const message = `"${entry.value}" is also allowed, at ${describePlace(other.place)}: at equal rank ALLOW wins`;
      problems.report('forced_clash', entry.place, message);
    }
  }
}

function indexList(
  entries: readonly DatedListEntry[],
  now: number,
  problems: ProblemList,
): ReadonlyMap<string, DatedListEntry> {
  const inForce = new Map<string, DatedListEntry>();
  for (const entry of entries) {
    const value = entryKey(entry.value);
    const first = inForce.get(value);
    if (isExpired(entry, now)) {
      problems.report('expired', entry.place, `the entry "${entry.value}" has expired: it does nothing`);
    } else if (first) {
      problems.report(
        'duplicate_entry',
        entry.place,
        `"${entry.value}" stands also at ${describePlace(first.place)}`,
      );
    } else {
      inForce.set(value, entry);
    }
  }
  return inForce;
}
