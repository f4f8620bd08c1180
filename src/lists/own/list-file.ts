import { type Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';
import { entryKey, readListFile } from '../../rules/list-entries.ts';
import { formatProblem, ProblemList } from '../../rules/problem.ts';
import { readYaml } from '../../rules/yaml-document.ts';

/** A list of the operator's own that has mistakes, or would have. The message says which, a line each. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
  readonly faults: readonly string[];

  constructor(complaint: string, faults: readonly string[]) {
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

/** An entry as written. */
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

  /** Puts another entry in the place of one; comments beside it stay. False when there is no such entry. Throws ListFault. */
  replace(value: string, entry: WrittenEntry): boolean {
    const node = this.#entries.items[this.#indexOf(value)];
    if (!isMap(node)) return false;
    const { expires, ...rest } = entry;
    for (const [key, text] of Object.entries(rest)) node.set(key, text);
    if (expires === undefined) node.delete('expires');
    else node.set('expires', expires);
    requireSound(this.toString(), this.#file, 'this entry cannot be taken');
    return true;
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
  throw new ListFault(complaint, problems.sorted().map(formatProblem));
}
