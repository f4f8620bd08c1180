import { createHash } from 'node:crypto';
import type { RuleSource } from '../../checks/rule-source.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { Published, Publisher } from '../../rule-lab/editing/publisher.ts';
import type { RuleJobs } from '../../rule-lab/editing/rule-jobs.ts';
import { readExpiry } from '../../rules/lint/fields.ts';
import { entryKey } from '../../rules/list-entries.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import { fileOf, ListFault, ListFile, OWN_LISTS, type OwnList, type WrittenEntry } from './list-file.ts';

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
function versionOf(text = ''): string {
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

/** Has the lists read, each text once while it stays as it is. */
class OwnListReader {
  readonly #jobs: Pick<RuleJobs, 'readList'>;
  readonly #lastRead = new Map<OwnList, { readonly text: string; readonly found: Promise<FoundEntries> }>();

  constructor(jobs: Pick<RuleJobs, 'readList'>) {
    this.#jobs = jobs;
  }

  async read(list: OwnList, files: RuleFiles, now: number): Promise<StandingList> {
    const file = fileOf(list);
    const [found, others] = await Promise.all([
      this.#find(list, files),
      this.#find(list === 'allow' ? 'deny' : 'allow', files),
    ]);
    const { faults } = found;
    const entries = standing(found.entries, others.entries, now);
    return { list, file, version: versionOf(files[file]), entries, faults };
  }

  #find(list: OwnList, files: RuleFiles): Promise<FoundEntries> {
    const file = fileOf(list);
    const text = files[file] ?? '';
    const last = this.#lastRead.get(list);
    if (last?.text === text) return last.found;
    const reading = { text, found: this.#jobs.readList({ file, text }) };
    this.#lastRead.set(list, reading);
    reading.found.catch(() => {
      // What failed may go well the next time.
      if (this.#lastRead.get(list) === reading) this.#lastRead.delete(list);
    });
    return reading.found;
  }
}

function standing(
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

interface OwnListsTools {
  readonly source: Pick<RuleSource, 'read'>;
  readonly publisher: Pick<Publisher, 'change'>;
  /** Reads and edits them: a list of 10,000 entries takes seconds. */
  readonly jobs: Pick<RuleJobs, 'readList' | 'editList'>;
  readonly clock: Clock;
}

/** Addresses that the rules never block, and those that they always block: `allow.yaml` and `deny.yaml` of the rules directory. */
export class OwnLists {
  readonly #tools: OwnListsTools;
  readonly #reader: OwnListReader;

  constructor(tools: OwnListsTools) {
    this.#tools = tools;
    this.#reader = new OwnListReader(tools.jobs);
  }

  /** As they lie in the directory. Throws AppError `rules_changed` when that cannot be read, and `busy`. */
  async read(): Promise<readonly StandingList[]> {
    const disk = await this.#tools.source.read();
    if (!disk.files)
      throw new AppError('rules_changed', { details: disk.faults.map((fault) => ({ fault })) });
    const { files } = disk;
    return Promise.all(OWN_LISTS.map((list) => this.#reader.read(list, files, this.#tools.clock.now())));
  }

  /**
   * Writes one change, which goes the way of every change of rules: lint, tests, and the reload. Throws AppError `list_changed` when
   * the list is of another version by now, `invalid_request` when the entry cannot stand there, and what the publisher throws.
   */
  change(list: OwnList, version: string, change: ListChange, author: string): Promise<Published> {
    const edit = async (files: RuleFiles) => {
      const file = fileOf(list);
      const text = files[file] ?? '';
      if (versionOf(text) !== version) throw new AppError('list_changed');
      const edited = await this.#tools.jobs.editList({ file, text, change }, { asker: author });
      if ('text' in edited) return { ...files, [file]: edited.text };
      const { at, message } = edited.refused;
      throw new AppError('invalid_request', { details: [{ path: `body/change/${at}`, message }] });
    };
    return this.#tools.publisher.change(edit, author);
  }
}
