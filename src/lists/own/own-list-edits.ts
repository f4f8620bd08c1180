import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { readExpiry } from '../../rules/lint/fields.ts';
import { entryKey } from '../../rules/list-entries.ts';
import { ListFault, ListFile, type OwnList, type WrittenEntry } from './list-file.ts';

/** How an entry stands. */
interface StandingEntry extends WrittenEntry {
  /** `soon`: it ends within thirty days. */
  readonly state: 'holds' | 'soon' | 'expired';
  /** The same value stands in the other list too, and holds: at equal rank ALLOW wins. */
  readonly isContested: boolean;
  /** The same value stands further up in this list. */
  readonly isRepeated: boolean;
}

export interface StandingList {
  readonly list: OwnList;
  readonly file: string;
  /** Of the text; a change names the one that it was made from. */
  readonly version: string;
  readonly entries: readonly StandingEntry[];
  /** Mistakes that stand in the file; then there are no entries, and none can be added. */
  readonly faults: readonly string[];
}

/** A month to ask the entry's owner whether it is still right. */
const SOON_MS = 30 * 86_400_000;

/** Of a text that is not there too: that is an empty list. */
export function versionOf(text = ''): string {
  return hash('sha256', text).slice(0, 16);
}

export interface ListText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

/** What stands in a list: its mistakes, or else its entries. Plain data: it travels between processes. */
export interface FoundEntries {
  readonly entries: readonly WrittenEntry[];
  readonly faults: readonly string[];
}

export function standing(
  found: readonly WrittenEntry[],
  others: readonly WrittenEntry[],
  now: number,
): readonly StandingEntry[] {
  const contested = new Set(
    others.filter((entry) => stateOf(entry, now) !== 'expired').map(({ value }) => entryKey(value)),
  );
  const seen = new Set<string>();
  return found.map((entry): StandingEntry => {
    const state = stateOf(entry, now);
    const key = entryKey(entry.value);
    const isRepeated = seen.has(key);
    seen.add(key);
    return { ...entry, state, isContested: state !== 'expired' && contested.has(key), isRepeated };
  });
}

export function findEntries({ file, text }: ListText): FoundEntries {
  try {
    return { entries: new ListFile(text, file).entries, faults: [] };
  } catch (error) {
    if (error instanceof ListFault) return { entries: [], faults: error.faults };
    throw error;
  }
}

export function stateOf({ expires }: WrittenEntry, now: number): StandingEntry['state'] {
  const end = expires === undefined ? undefined : readExpiry(expires);
  if (end === undefined) return 'holds';
  if (end <= now) return 'expired';
  return end - now <= SOON_MS ? 'soon' : 'holds';
}

export type ListChange =
  | { readonly kind: 'add'; readonly entry: WrittenEntry }
  /** `value` is the one that stands there now. */
  | { readonly kind: 'replace'; readonly value: string; readonly entry: WrittenEntry }
  | { readonly kind: 'remove'; readonly value: string };

export interface ListEdit extends ListText {
  readonly change: ListChange;
}

/** The text with the change in it. Throws AppError `invalid_request` when it cannot be made: which part of it is wrong, and why. */
export function editOwnList({ file, text, change }: ListEdit, now: number): string {
  try {
    const list = new ListFile(text, file);
    apply(list, file, change, now);
    return list.toString();
  } catch (error) {
    throw error instanceof ListFault ? refused('entry', error.faults.join('; ')) : error;
  }
}

function apply(list: ListFile, file: string, change: ListChange, now: number): void {
  if (change.kind !== 'add' && !list.find(change.value)) {
    throw refused('value', `it does not stand in ${file}`);
  }
  if (change.kind === 'remove') {
    list.remove(change.value);
    return;
  }
  const { kind, entry } = change;
  if (stateOf(entry, now) === 'expired') {
    throw refused('entry/expires', 'that day is over: the entry would do nothing');
  }
  const twin = list.find(entry.value);
  if (twin && !(kind === 'replace' && entryKey(twin.value) === entryKey(change.value))) {
    throw refused('entry/value', `it stands in ${file} already: ${twin.reason}`);
  }
  if (kind === 'replace') list.replace(change.value, entry);
  else list.add(entry);
}

function refused(at: string, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `body/change/${at}`, message }] });
}
