import { join } from 'node:path';
import { stringify } from 'yaml';
import { AppError } from '../errors.ts';
import { lineEndOf } from '../lib/text.ts';
import { ID } from '../rules/lint/fields.ts';
import { isNamedListFile, readNamedLists } from '../rules/lint/read-named-lists.ts';
import { entryKey } from '../rules/list-entries.ts';
import { describeProblem, ProblemList } from '../rules/problem.ts';
import { type EditableList, type ListedEntry, ListFault, ListFile, requireSound } from './list-file.ts';

/** Why a .txt list takes an entry's domain and reason alone. */
export const NO_MEMBERS =
  'a .txt list has a domain on each line, and neither owners nor days: a .yaml list has them';

/** The member of an entry that a list of this file cannot hold: in a .txt list a blank or # would end the value. */
export function refusedIn(file: string, { value, owner, expires }: ListedEntry) {
  if (!file.endsWith('.txt')) return undefined;
  if (/[#\s]/.test(value.trim())) return 'value';
  return owner !== undefined ? 'owner' : expires === undefined ? undefined : 'expires';
}

/**
 * A named list, or `allow.yaml` or `deny.yaml`. `path`: `lists/partners.yaml`, in the rules directory `dir`, which messages name. Throws
 * ListFault where the text has a mistake.
 */
export function openEditable(text: string, path: string, dir = ''): EditableList {
  const file = join(dir, path);
  if (!isNamedListFile(path)) return new ListFile<ListedEntry>(text, file);
  const problemsOf = (candidate: string) => problemsIn(candidate, path, dir);
  if (path.endsWith('.txt')) return new TextList(text, file, problemsOf);
  return new ListFile<ListedEntry>(text, file, { path: ['entries'], problemsOf });
}

function problemsIn(text: string, path: string, dir: string): ProblemList {
  const problems = new ProblemList();
  // Checked at time 0, so that no entry counts as expired.
  readNamedLists({ dir, files: { [path]: text } }, 0, problems);
  return problems;
}

/** A domain on each line. The text behind `#` on a line is the reason of its entry; all other lines stay as they are. */
class TextList implements EditableList {
  readonly #lines: string[];
  readonly #eol: string;

  constructor(
    text: string,
    private readonly file: string,
    private readonly problemsOf: (text: string) => ProblemList,
  ) {
    requireSound(problemsOf(text), `${file} has mistakes; mend them first`);
    this.#eol = lineEndOf(text);
    this.#lines = text.split(/\r?\n/);
    if (this.#lines.at(-1) === '') this.#lines.pop();
  }

  get entries(): readonly ListedEntry[] {
    return this.#lines.flatMap((line) => readLine(line) ?? []);
  }

  find(value: string): ListedEntry | undefined {
    return readLine(this.#lines[this.#indexOf(value)] ?? '');
  }

  add(entry: ListedEntry): void {
    this.#put(this.#lines.length, 0, entry);
  }

  replace(value: string, entry: ListedEntry): void {
    const index = this.#indexOf(value);
    if (index !== -1) this.#put(index, 1, entry);
  }

  remove(value: string): boolean {
    const index = this.#indexOf(value);
    if (index !== -1) this.#lines.splice(index, 1);
    return index !== -1;
  }

  toString(): string {
    return this.#lines.map((line) => `${line}${this.#eol}`).join('');
  }

  #put(index: number, count: number, entry: ListedEntry): void {
    const { value, reason } = entry;
    const member = refusedIn(this.file, entry);
    if (member) throw new ListFault(member === 'value' ? `"${value}" is no domain` : NO_MEMBERS, []);
    // Line breaks in the reason become blanks: an entry is one line.
    const comment = reason === undefined ? '' : ` # ${reason.trim().replaceAll(/\s+/g, ' ')}`;
    this.#lines.splice(index, count, `${value.trim()}${comment}`);
    requireSound(this.problemsOf(this.toString()), 'this entry cannot be taken');
  }

  #indexOf(value: string): number {
    const wanted = entryKey(value);
    return this.#lines.findIndex((line) => {
      const entry = readLine(line);
      return entry !== undefined && entryKey(entry.value) === wanted;
    });
  }
}

function readLine(line: string): ListedEntry | undefined {
  const [, value = '', reason = ''] = /^\s*([^#]*?)\s*(?:#\s*(.*?)\s*)?$/.exec(line) ?? [];
  if (value === '') return undefined;
  return { value, ...(reason !== '' && { reason }) };
}

/** A named list that is to be made: `lists/<name>.yaml`, or `.txt` where it has nothing but entries. */
export interface NewNamedList {
  readonly name: string;
  readonly kind: 'yaml' | 'txt';
  /** For a `.yaml` list, which must have both. */
  readonly description?: string;
  readonly owner?: string;
  /** Domains, as they are to be written. */
  readonly entries: readonly string[];
}

export function newFileOf({ name, kind }: Pick<NewNamedList, 'name' | 'kind'>): string {
  return `lists/${name}.${kind}`;
}

/** The text of a new list. Throws AppError `invalid_request` when lint would refuse it, with the wrong member of the list and why. */
export function writeNamedList(list: NewNamedList): string {
  if (!ID.test(list.name)) throw refusedMember('name', 'a name may hold only a-z, 0-9 and _');
  for (const member of ['description', 'owner'] as const) {
    if (list.kind === 'yaml' && list[member] === undefined)
      throw refusedMember(member, 'a .yaml list says what stands in it, and whom to ask');
    if (list.kind === 'txt' && list[member] !== undefined)
      throw refusedMember(member, 'a .txt list has domains alone, and neither description nor owner');
  }
  const { text, firstLine } = textOf(list);
  const details = problemsIn(text, newFileOf(list), '')
    .sorted()
    .filter(({ severity }) => severity === 'error')
    .map((problem) => ({
      path: problem.line < firstLine ? 'body/list' : `body/list/entries/${problem.line - firstLine}`,
      message: describeProblem(problem),
      ...(problem.hint !== undefined && { meant: problem.hint }),
    }));
  if (details.length > 0) throw new AppError('invalid_request', { details });
  return text;
}

export function refusedMember(member: keyof NewNamedList, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `body/list/${member}`, message }] });
}

/** Each entry is on a line of its own. `firstLine`: the line of the first entry. */
function textOf({ kind, description, owner, entries }: NewNamedList) {
  if (kind === 'txt') {
    const about = '# A domain on each line; .example.org is the domain with its subdomains.\n';
    return { text: `${about}${entries.map((entry) => `${entry}\n`).join('')}`, firstLine: 2 };
  }
  return { text: stringify({ description, owner, entries }, { version: '1.2', lineWidth: 0 }), firstLine: 4 };
}
