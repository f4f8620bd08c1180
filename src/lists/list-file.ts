import { type Document, isMap, isNode, isScalar, isSeq, type Node, parseDocument, YAMLSeq } from 'yaml';
import { ExplainedError } from '../errors.ts';
import { lineEndOf } from '../lib/text.ts';
import { entryKey, readListFile } from '../rules/list-entries.ts';
import { formatProblem, type Problem, ProblemList } from '../rules/problem.ts';
import { readYaml } from '../rules/yaml-document.ts';

/** The operator's own list has mistakes, or would have after an edit. The message names each on a line. */
export class ListFault extends ExplainedError {
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

/** An entry as it is written. */
export interface ListedEntry {
  readonly value: string;
  readonly reason?: string;
  readonly owner?: string;
  readonly expires?: string;
}

/** With the names that leave the process. */
export function presentEntry({ value, reason, owner, expires }: ListedEntry) {
  return { value, reason: reason ?? null, owner: owner ?? null, expires: expires ?? null };
}

/** An entry of `allow.yaml` or `deny.yaml`. */
export interface WrittenEntry extends ListedEntry {
  readonly reason: string;
  readonly owner: string;
}

/** A list as a text that can be edited, in YAML or a line for each entry. */
export type EditableList = Pick<
  ListFile<ListedEntry>,
  'entries' | 'find' | 'add' | 'replace' | 'remove' | 'toString'
>;

/** Where the entries stand in a document, and how its text is checked. */
interface ListForm {
  /** The keys that lead to the entries; empty where the document is the list. */
  readonly path: readonly string[];
  readonly problemsOf: (text: string, file: string) => ProblemList;
}

/** `allow.yaml` and `deny.yaml`. */
const OWN_FORM: ListForm = {
  path: [],
  problemsOf(text, file) {
    const problems = new ProblemList();
    const located = readYaml({ file, text }, problems);
    if (located) readListFile(located, problems);
    return problems;
  },
};

/** A list in YAML as a text that can be edited; comments, order and quoting stay. */
export class ListFile<Entry extends ListedEntry = WrittenEntry> {
  readonly #file: string;
  readonly #form: ListForm;
  readonly #document: Document;
  readonly #entries: YAMLSeq;
  readonly #eol: string;
  /** Whether items are indented further than their key. */
  readonly #indentSeq: boolean;

  /** Throws ListFault when the text has a mistake already: an edit must not hide it. */
  constructor(text: string, file: string, form = OWN_FORM) {
    requireSound(form.problemsOf(text, file), `${file} has mistakes; mend them first`);
    this.#file = file;
    this.#form = form;
    this.#eol = lineEndOf(text);
    this.#indentSeq = !/^entries:[^\S\n]*(?:#.*)?\n(?:[^\S\n]*(?:#.*)?\n)*- /m.test(text);
    this.#document = parseDocument(text, { version: '1.2', schema: 'core' });
    const found = this.#document.getIn(form.path);
    if (isSeq(found)) {
      this.#entries = found;
    } else {
      // The file holds only comments: they stay above the new list.
      this.#entries = new YAMLSeq();
      this.#document.setIn(form.path, this.#entries);
    }
  }

  get entries(): readonly Entry[] {
    // The linter has accepted every entry, so that each has this form.
    const items = this.#entries.toJSON() as unknown as readonly (string | Entry)[];
    return items.map((item) => (typeof item === 'string' ? ({ value: item } as Entry) : item));
  }

  /** Values are compared as lint compares them, whatever their case. */
  find(value: string): Entry | undefined {
    return this.entries[this.#indexOf(value)];
  }

  /** Throws ListFault when the entry has not the form that rules take. */
  add(entry: Entry): void {
    // Otherwise `[]` would stay a list on one line.
    if (this.#entries.items.length === 0) this.#entries.flow = false;
    this.#entries.add(this.#document.createNode(asWritten(entry)));
    this.#requireSound();
  }

  /** Replaces an entry; comments beside it stay. Throws ListFault. */
  replace(value: string, entry: Entry): void {
    const index = this.#indexOf(value);
    const node = this.#entries.items[index];
    if (isMap(node)) {
      for (const key of MEMBERS) {
        if (entry[key] === undefined) node.delete(key);
        else node.set(key, entry[key]);
      }
    } else if (isScalar(node)) {
      const written = this.#document.createNode(asWritten(entry));
      const comments = [node.commentBefore, isMap(written) ? node.comment : null].filter(Boolean);
      if (comments.length > 0) written.commentBefore = comments.join('\n');
      if (isScalar(written)) written.comment = node.comment ?? null;
      this.#entries.items[index] = written;
    } else return;
    this.#requireSound();
  }

  /** False when there is no such entry. The comment right above it goes with it, other comments stay. */
  remove(value: string): boolean {
    const index = this.#indexOf(value);
    if (index === -1) return false;
    const [removed] = this.#entries.items.splice(index, 1);
    if (isNode(removed)) this.#keepComments(index, removed);
    return true;
  }

  toString(): string {
    const text = this.#document.toString({ lineWidth: 0, indentSeq: this.#indentSeq });
    return text.replaceAll('\n', this.#eol);
  }

  #requireSound(): void {
    requireSound(this.#form.problemsOf(this.toString(), this.#file), 'this entry cannot be taken');
  }

  #indexOf(value: string): number {
    const wanted = entryKey(value);
    return this.entries.findIndex((entry) => entryKey(entry.value) === wanted);
  }

  /** Keeps the comments above a removed entry that a blank line parts from it; at the top of the file also a single one, its head. */
  #keepComments(index: number, { commentBefore, spaceBefore }: Node): void {
    const isWhole = this.#form.path.length === 0;
    const isTop = isWhole && index === 0;
    // The last paragraph stands right above the entry; it is empty where a blank line ends the comment.
    const paragraphs = (commentBefore ?? '').split(/\n\s*?(?:\n|$)/);
    const kept = isTop && paragraphs.length === 1 ? paragraphs : paragraphs.slice(0, -1);
    const next = this.#entries.items[index];
    if (isTop) {
      this.#document.commentBefore = joined(this.#document.commentBefore, ...kept);
      if (isNode(next)) next.spaceBefore = false;
    } else if (kept.length > 0 && isNode(next)) {
      next.commentBefore = next.commentBefore ? joined(...kept, next.commentBefore) : `${joined(...kept)}\n`;
      next.spaceBefore = spaceBefore === true;
    } else if (kept.length > 0) {
      const end = isWhole ? this.#document : this.#entries;
      end.comment = joined(...kept, end.comment);
    }
  }
}

/** Paragraphs of a comment; null where there is none. */
function joined(...paragraphs: readonly (string | null | undefined)[]): string | null {
  return paragraphs.filter(Boolean).join('\n\n') || null;
}

const MEMBERS = ['value', 'reason', 'owner', 'expires'] as const;

/** An entry with a value alone is written as plain text. */
function asWritten(entry: ListedEntry): ListedEntry | string {
  return Object.keys(entry).length === 1 ? entry.value : entry;
}

/** Throws ListFault where lint found errors: the linter alone decides what an entry may be. */
export function requireSound(problems: ProblemList, complaint: string): void {
  if (problems.hasErrors) throw new ListFault(complaint, problems.sorted());
}
