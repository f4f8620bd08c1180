import { AppError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { readRulesOnDisk } from '../../rule-versions/rules-on-disk.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { Published, Publisher } from '../../workbench/publisher.ts';
import { ListFault } from './list-fault.ts';
import { fileOf, ListFile, OWN_LISTS, type OwnList, type WrittenEntry } from './list-file.ts';
import { OwnListReader, type StandingList, stateOf, versionOf } from './read-own-list.ts';

export type ListChange =
  | { readonly kind: 'add'; readonly entry: WrittenEntry }
  /** `value` is the one that stands there now. */
  | { readonly kind: 'replace'; readonly value: string; readonly entry: WrittenEntry }
  | { readonly kind: 'remove'; readonly value: string };

export interface OwnListsTools {
  readonly dir: string;
  readonly publisher: Pick<Publisher, 'change'>;
  readonly clock: Clock;
}

/** Who is never blocked by the rules, and who always: `allow.yaml` and `deny.yaml` of the rules directory. */
export class OwnLists {
  readonly #tools: OwnListsTools;
  readonly #reader = new OwnListReader();

  constructor(tools: OwnListsTools) {
    this.#tools = tools;
  }

  /** As they lie in the directory. Throws AppError `rules_changed` when that cannot be read. */
  async read(): Promise<readonly StandingList[]> {
    const disk = await readRulesOnDisk(this.#tools.dir);
    if (!disk.files)
      throw new AppError('rules_changed', { details: disk.faults.map((fault) => ({ fault })) });
    const { files } = disk;
    return OWN_LISTS.map((list) => this.#reader.read(list, files, this.#tools.clock.now()));
  }

  /**
   * Writes one change, which goes the way of every change of rules: lint, tests, and the keeper. Throws AppError `list_changed` when
   * the list is of another version by now, `invalid_request` when the entry cannot stand there, and what the publisher throws.
   */
  change(list: OwnList, version: string, change: ListChange, author: string): Promise<Published> {
    const edit = (files: RuleFiles) => {
      const file = fileOf(list);
      if (versionOf(files[file]) !== version) throw new AppError('list_changed');
      return { ...files, [file]: this.#edit(file, files[file] ?? '', change) };
    };
    return this.#tools.publisher.change(edit, author);
  }

  #edit(file: string, text: string, change: ListChange): string {
    try {
      const list = new ListFile(text, file);
      this.#apply(list, file, change);
      return list.toString();
    } catch (error) {
      if (!(error instanceof ListFault)) throw error;
      throw refused('entry', error.faults.join('; '));
    }
  }

  #apply(list: ListFile, file: string, change: ListChange): void {
    if (change.kind === 'remove') {
      // What nobody has changed since was seen there.
      if (!list.remove(change.value)) throw refused('value', `it does not stand in ${file}`);
      return;
    }
    const { entry } = change;
    if (stateOf(entry, this.#tools.clock.now()) === 'expired') {
      throw refused('entry/expires', 'that day is over: the entry would do nothing');
    }
    const twin = list.find(entry.value);
    const isItself = change.kind === 'replace' && twin?.value.toLowerCase() === change.value.toLowerCase();
    if (twin && !isItself) throw refused('entry/value', `it stands in ${file} already: ${twin.reason}`);
    if (change.kind === 'add') list.add(entry);
    else if (!list.replace(change.value, entry)) throw refused('value', `it does not stand in ${file}`);
  }
}

function refused(path: string, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `body/change/${path}`, message }] });
}
