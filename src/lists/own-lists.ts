import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { DAY_MS } from '../lib/time.ts';
import { readExpiry } from '../rules/lint/fields.ts';
import { entryKey } from '../rules/list-entries.ts';
import { describeProblem, type Problem, type ProblemCode } from '../rules/problem.ts';
import { type EditableList, type ListedEntry, ListFault, ListFile, type WrittenEntry } from './list-file.ts';
import { NO_MEMBERS, openEditable, refusedIn } from './named-list-file.ts';

/** The operator's own lists, each a file of the rules directory: `allow.yaml` and `deny.yaml`. */
export const OWN_LISTS = ['allow', 'deny'] as const;
export type OwnList = (typeof OWN_LISTS)[number];

export function fileOf(list: OwnList): string {
  return `${list}.yaml`;
}

export const OWN_LIST_FILES: readonly string[] = OWN_LISTS.map(fileOf);

/** An entry ends soon within a month: time to ask its owner whether it is still right. */
const SOON_MS = 30 * DAY_MS;

/** The version of a list's text; no text is an empty list. A change names the version that it was made from. */
export function versionOf(text = ''): string {
  return hash('sha256', text).slice(0, 16);
}

export interface ListText {
  /** For messages. */
  readonly file: string;
  readonly text: string;
}

/** The mistakes of a list, or else its entries. Plain data: it travels between processes. */
export interface FoundEntries {
  readonly entries: readonly WrittenEntry[];
  readonly faults: readonly string[];
}

export function standing(found: readonly WrittenEntry[], others: readonly WrittenEntry[], now: number) {
  const contested = new Set(
    others.filter((entry) => stateOf(entry, now) !== 'expired').map(({ value }) => entryKey(value)),
  );
  const seen = new Set<string>();
  return found.map((entry) => {
    const state = stateOf(entry, now);
    const key = entryKey(entry.value);
    const is_repeated = seen.has(key);
    seen.add(key);
    return {
      ...entry,
      // The form that addresses are compared with: `jane@gmail.com` for `Jane+spam@gmail.com`.
      stands_for: key,
      state,
      // The value is in force in the other list too: at equal rank ALLOW wins.
      is_contested: state !== 'expired' && contested.has(key),
      // The same value stands further up in this list.
      is_repeated,
    };
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

export function stateOf({ expires }: ListedEntry, now: number): 'holds' | 'soon' | 'expired' {
  const end = expires === undefined ? undefined : readExpiry(expires);
  if (end === undefined) return 'holds';
  if (end <= now) return 'expired';
  return isSoonOver(end, now) ? 'soon' : 'holds';
}

export function isSoonOver(end: number, now: number): boolean {
  return end - now <= SOON_MS;
}

/** In `allow.yaml` and `deny.yaml` an entry needs a reason and an owner. */
export type ListChange =
  | { readonly kind: 'add'; readonly entry: ListedEntry }
  /** `value`: of the entry that is replaced. */
  | { readonly kind: 'replace'; readonly value: string; readonly entry: ListedEntry }
  | { readonly kind: 'remove'; readonly value: string };

export interface ListEdit extends ListText {
  readonly change: ListChange;
}

/** Returns the text with the change made. Throws AppError `invalid_request` when it cannot be made, with the wrong part and why. */
export function editList({ file, text, change }: ListEdit, now: number): string {
  try {
    const list = openEditable(text, file);
    apply(list, file, change, now);
    return list.toString();
  } catch (error) {
    throw error instanceof ListFault ? badEntry(error.problems) : error;
  }
}

function apply(list: EditableList, file: string, change: ListChange, now: number): void {
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
  const member = refusedIn(file, entry);
  if (member === 'value') throw refused('entry/value', 'a domain has neither blanks nor #');
  if (member) throw refused(`entry/${member}`, NO_MEMBERS);
  const twin = list.find(entry.value);
  if (twin && !(kind === 'replace' && entryKey(twin.value) === entryKey(change.value))) {
    throw refused('entry/value', `it stands in ${file} already${describeTwin(twin, now)}`);
  }
  if (kind === 'replace') list.replace(change.value, entry);
  else list.add(entry);
}

/** Completes the message about an entry that is in the list already. */
export function describeTwin({ reason, ...entry }: ListedEntry, now: number): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  return stateOf(entry, now) === 'expired' ? `, until ${entry.expires}: remove that one first${why}` : why;
}

function refused(at: string, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `body/change/${at}`, message }] });
}

const MEMBER_OF: Partial<Record<ProblemCode, string>> = { bad_list_value: '/value', bad_date: '/expires' };

/** Each problem with the path of its member; `meant`: the value that was probably meant. */
function badEntry(problems: readonly Problem[]): AppError {
  const details = problems.map((problem) => ({
    path: `body/change/entry${MEMBER_OF[problem.code] ?? ''}`,
    message: describeProblem(problem),
    ...(problem.hint !== undefined && { meant: problem.hint }),
  }));
  return new AppError('invalid_request', { details });
}
