import { hash } from 'node:crypto';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';
import { AppError } from '../errors.ts';
import { DAY_MS } from '../lib/time.ts';
import { readExpiry } from '../rules/lint/fields.ts';
import { entryKey, readListFile } from '../rules/list-entries.ts';
import {
  describeProblem,
  formatProblem,
  type Problem,
  type ProblemCode,
  ProblemList,
} from '../rules/problem.ts';
import { readYaml } from '../rules/yaml-document.ts';

/** A list of the operator's own that has mistakes, or would have. The message says which, a line each. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly faults: readonly string[];

  constructor(
    complaint: string,
    readonly problems: readonly Problem[],
  ) {
    const faults = problems.map(formatProblem);
    super([complaint, ...faults].join('\n'));
    this.faults = faults;
  }
}

/** The lists of the operator's own, each a file of the rules directory: `allow.yaml` and `deny.yaml`. */
export const OWN_LISTS = ['allow', 'deny'] as const;
export type OwnList = (typeof OWN_LISTS)[number];

export function fileOf(list: OwnList): string {
  return `${list}.yaml`;
}

export interface WrittenEntry {
  readonly value: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

/** `allow.yaml` or `deny.yaml` as a text that can be edited; comments, order and quoting stay. */
export class ListFile {
  readonly #file: string;
  readonly #document: Document;
  readonly #entries: YAMLSeq;

  /** Throws ListFault when the text has a mistake already: it must not be buried under an edit. */
  constructor(text: string, file: string) {
    requireSound(text, file, `${file} has mistakes; mend them first`);
    this.#file = file;
    this.#document = parseDocument(text, { version: '1.2', schema: 'core' });
    const { contents } = this.#document;
    if (isSeq(contents)) {
      this.#entries = contents;
    } else {
      // Nothing but comments: they stand above the list that begins now.
      this.#entries = new YAMLSeq();
      this.#document.contents = this.#entries as typeof contents;
    }
  }

  get entries(): readonly WrittenEntry[] {
    // The linter has read each of them, and its form is this one.
    return this.#entries.toJSON() as unknown as readonly WrittenEntry[];
  }

  /** Values are compared as lint compares them, whatever their case. */
  find(value: string): WrittenEntry | undefined {
    return this.entries[this.#indexOf(value)];
  }

  /** Throws ListFault when the entry has not the form that rules take. */
  add(entry: WrittenEntry): void {
    // `[]` would go on as one line.
    if (this.#entries.items.length === 0) this.#entries.flow = false;
    this.#entries.add(this.#document.createNode(entry));
    requireSound(this.toString(), this.#file, 'this entry cannot be taken');
  }

  /** Puts another entry in the place of one that is there; comments beside it stay. Throws ListFault. */
  replace(value: string, entry: WrittenEntry): void {
    const node = this.#entries.items[this.#indexOf(value)];
    if (!isMap(node)) return;
    const { expires, ...rest } = entry;
    for (const [key, text] of Object.entries(rest)) node.set(key, text);
    if (expires === undefined) node.delete('expires');
    else node.set('expires', expires);
    requireSound(this.toString(), this.#file, 'this entry cannot be taken');
  }

  /** False when there is no such entry. The comment right above it goes with it, other comments stay. */
  remove(value: string): boolean {
    const index = this.#indexOf(value);
    if (index === -1) return false;
    const [removed] = this.#entries.items.splice(index, 1);
    if (index === 0 && isMap(removed)) this.#keepHeader(removed);
    return true;
  }

  toString(): string {
    return this.#document.toString({ lineWidth: 0 });
  }

  #indexOf(value: string): number {
    const wanted = entryKey(value);
    return this.entries.findIndex((entry) => entryKey(entry.value) === wanted);
  }

  /** The parser hangs the head of the file on the first entry when it cannot tell the two apart. */
  #keepHeader(first: YAMLMap): void {
    const paragraphs = (first.commentBefore ?? '').split(/\n\s*\n/);
    const header = paragraphs.length > 1 ? paragraphs.slice(0, -1) : paragraphs;
    const kept = [this.#document.commentBefore, ...header].filter((text) => text);
    this.#document.commentBefore = kept.length === 0 ? null : kept.join('\n\n');
    const [next] = this.#entries.items;
    if (isMap(next)) next.spaceBefore = false;
  }
}

/** The linter is the one judge of what an entry may be. */
function requireSound(text: string, file: string, complaint: string): void {
  const problems = new ProblemList();
  const located = readYaml({ file, text }, problems);
  if (located) readListFile(located, problems);
  if (!problems.hasErrors) return;
  throw new ListFault(complaint, problems.sorted());
}

/** A month to ask the entry's owner whether it is still right. */
const SOON_MS = 30 * DAY_MS;

/** Of a text, or of none, which is an empty list; a change names the one that it was made from. */
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
      // What addresses are compared with: `jane@gmail.com` for `Jane+spam@gmail.com`.
      stands_for: key,
      state,
      // The same value stands in the other list too, and holds: at equal rank ALLOW wins.
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

export function stateOf({ expires }: WrittenEntry, now: number): 'holds' | 'soon' | 'expired' {
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
    throw error instanceof ListFault ? badEntry(error.problems) : error;
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

const MEMBER_OF: Partial<Record<ProblemCode, string>> = { bad_list_value: '/value', bad_date: '/expires' };

/** Each at the member that it is about; `meant`: the value that was probably meant. */
function badEntry(problems: readonly Problem[]): AppError {
  const details = problems.map((problem) => ({
    path: `body/change/entry${MEMBER_OF[problem.code] ?? ''}`,
    message: describeProblem(problem),
    ...(problem.hint !== undefined && { meant: problem.hint }),
  }));
  return new AppError('invalid_request', { details });
}
