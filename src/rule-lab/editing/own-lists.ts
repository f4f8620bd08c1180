import type { RuleSource } from '../../checks/rule-source.ts';
import { AppError } from '../../errors.ts';
import {
  type FoundEntries,
  fileOf,
  type ListChange,
  OWN_LISTS,
  type OwnList,
  standing,
  versionOf,
} from '../../lists/own-lists.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { Published, Publisher } from './publisher.ts';
import type { RuleJobs } from './rule-jobs.ts';

interface OwnListsTools {
  readonly source: Pick<RuleSource, 'read'>;
  readonly publisher: Pick<Publisher, 'change'>;
  /** Reads and edits them: a list of 10,000 entries takes seconds. */
  readonly jobs: Pick<RuleJobs, 'readList' | 'editList'>;
  readonly clock: Clock;
}

/** Addresses that the rules never block, and those that they always block: `allow.yaml` and `deny.yaml` of the rules directory. */
export class OwnLists {
  /** Each text is read once while it stays as it is. */
  readonly #lastRead = new Map<OwnList, { readonly text: string; readonly found: Promise<FoundEntries> }>();

  constructor(private readonly tools: OwnListsTools) {}

  /** As they lie in the directory. Throws AppError `rules_changed` when that cannot be read, and `busy`. */
  async read() {
    const disk = await this.tools.source.read();
    if (!disk.files)
      throw new AppError('rules_changed', { details: disk.faults.map((fault) => ({ fault })) });
    const { files } = disk;
    return Promise.all(OWN_LISTS.map((list) => this.#readList(list, files)));
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
      const edited = await this.tools.jobs.editList({ file, text, change }, { asker: author });
      return { ...files, [file]: edited };
    };
    return this.tools.publisher.change(edit, author);
  }

  async #readList(list: OwnList, files: RuleFiles) {
    const file = fileOf(list);
    const other = list === 'allow' ? 'deny' : 'allow';
    const [found, others] = await Promise.all([this.#find(list, files), this.#find(other, files)]);
    const entries = standing(found.entries, others.entries, this.tools.clock.now());
    return { list, file, version: versionOf(files[file]), entries, faults: found.faults };
  }

  #find(list: OwnList, files: RuleFiles): Promise<FoundEntries> {
    const file = fileOf(list);
    const text = files[file] ?? '';
    const last = this.#lastRead.get(list);
    if (last?.text === text) return last.found;
    const reading = { text, found: this.tools.jobs.readList({ file, text }) };
    this.#lastRead.set(list, reading);
    reading.found.catch(() => {
      // What failed may go well the next time.
      if (this.#lastRead.get(list) === reading) this.#lastRead.delete(list);
    });
    return reading.found;
  }
}
