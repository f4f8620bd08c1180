import { createHash } from 'node:crypto';
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
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
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

export interface ListEdit {
  /** For messages. */
  readonly file: string;
  readonly text: string;
  readonly change: ListChange;
}

/** What is wrong with a change. Plain data: it travels between processes. */
interface RefusedEdit {
  /** Of the change: `entry/value`. */
  readonly at: string;
  readonly message: string;
}

/** The text with the change in it, or why it cannot be made. */
export type EditedList = { readonly text: string } | { readonly refused: RefusedEdit };

export function editOwnList({ file, text, change }: ListEdit, now: number): EditedList {
  try {
    const list = new ListFile(text, file);
    const refused = apply(list, file, change, now);
    return refused ? { refused } : { text: list.toString() };
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    return { refused: { at: 'entry', message: error.faults.join('; ') } };
  }
}

function apply(list: ListFile, file: string, change: ListChange, now: number): RefusedEdit | undefined {
  const gone = { at: 'value', message: `it does not stand in ${file}` };
  if (change.kind === 'remove') return list.remove(change.value) ? undefined : gone;
  const { entry } = change;
  if (stateOf(entry, now) === 'expired') {
    return { at: 'entry/expires', message: 'that day is over: the entry would do nothing' };
  }
  const twin = list.find(entry.value);
  const isItself =
    change.kind === 'replace' && twin !== undefined && entryKey(twin.value) === entryKey(change.value);
  if (twin && !isItself) {
    return { at: 'entry/value', message: `it stands in ${file} already: ${twin.reason}` };
  }
  if (change.kind === 'replace') return list.replace(change.value, entry) ? undefined : gone;
  list.add(entry);
  return undefined;
}
