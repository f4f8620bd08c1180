import { join } from 'node:path';
import { readNamedLists } from '../rules/lint/read-named-lists.ts';
import { entryKey } from '../rules/list-entries.ts';
import { ProblemList } from '../rules/problem.ts';
import { type EditableList, type ListedEntry, ListFault, ListFile, requireSound } from './list-file.ts';

/** Why a .txt list takes an entry's domain and reason alone. */
export const NO_MEMBERS =
  'a .txt list has a domain on each line, and neither owners nor days: a .yaml list has them';

/** The member of an entry that a list of this file cannot hold. */
export function refusedIn(file: string, { owner, expires }: ListedEntry): 'owner' | 'expires' | undefined {
  if (!file.endsWith('.txt')) return undefined;
  return owner !== undefined ? 'owner' : expires === undefined ? undefined : 'expires';
}

/** `path`: `lists/partners.yaml`, in the rules directory `dir`, which messages name. Throws ListFault where the text has a mistake. */
export function openNamedList(text: string, path: string, dir = ''): EditableList {
  const file = join(dir, path);
  const problemsOf = (candidate: string) => {
    const problems = new ProblemList();
    // At the beginning of time nothing has expired.
    readNamedLists({ dir, files: { [path]: candidate } }, 0, problems);
    return problems;
  };
  if (path.endsWith('.txt')) return new TextList(text, file, problemsOf);
  return new ListFile<ListedEntry>(text, file, { path: ['entries'], problemsOf });
}

/** A domain on each line. What a line says behind `#` is the reason of its entry; all other lines stay as they are. */
class TextList implements EditableList {
  readonly #lines: string[];
  readonly #eol: string;

  constructor(
    text: string,
    private readonly file: string,
    private readonly problemsOf: (text: string) => ProblemList,
  ) {
    requireSound(problemsOf(text), `${file} has mistakes; mend them first`);
    this.#eol = text.includes('\r\n') ? '\r\n' : '\n';
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
    if (refusedIn(this.file, entry)) throw new ListFault(NO_MEMBERS, []);
    const { value, reason } = entry;
    if (/[#\s]/.test(value.trim())) throw new ListFault(`"${value}" is no domain`, []);
    // One line, whatever it is given.
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
