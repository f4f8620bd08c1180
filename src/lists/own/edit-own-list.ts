import { entryKey } from '../../rules/canonical-entry.ts';
import { ListFault } from './list-fault.ts';
import { ListFile, type WrittenEntry } from './list-file.ts';
import { stateOf } from './read-own-list.ts';

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
export interface RefusedEdit {
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
