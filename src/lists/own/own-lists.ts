import { AppError } from '../../errors.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { readRulesOnDisk } from '../../rule-lab/versions/rules-on-disk.ts';
import type { Published, Publisher } from '../../rule-lab/workbench/publisher.ts';
import type { RuleBench } from '../../rule-lab/workbench/rule-bench.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { ListChange } from './edit-own-list.ts';
import { fileOf, OWN_LISTS, type OwnList } from './list-file.ts';
import { OwnListReader, type StandingList, versionOf } from './read-own-list.ts';

export interface OwnListsTools {
  readonly dir: string;
  readonly publisher: Pick<Publisher, 'change'>;
  /** Reads and edits them: a list of 10,000 entries takes seconds. */
  readonly bench: Pick<RuleBench, 'readList' | 'editList'>;
  readonly clock: Clock;
}

/** Who is never blocked by the rules, and who always: `allow.yaml` and `deny.yaml` of the rules directory. */
export class OwnLists {
  readonly #tools: OwnListsTools;
  readonly #reader: OwnListReader;

  constructor(tools: OwnListsTools) {
    this.#tools = tools;
    this.#reader = new OwnListReader(tools.bench);
  }

  /** As they lie in the directory. Throws AppError `rules_changed` when that cannot be read, and `busy`. */
  async read(): Promise<readonly StandingList[]> {
    const disk = await readRulesOnDisk(this.#tools.dir);
    if (!disk.files)
      throw new AppError('rules_changed', { details: disk.faults.map((fault) => ({ fault })) });
    const { files } = disk;
    return Promise.all(OWN_LISTS.map((list) => this.#reader.read(list, files, this.#tools.clock.now())));
  }

  /**
   * Writes one change, which goes the way of every change of rules: lint, tests, and the keeper. Throws AppError `list_changed` when
   * the list is of another version by now, `invalid_request` when the entry cannot stand there, and what the publisher throws.
   */
  change(list: OwnList, version: string, change: ListChange, author: string): Promise<Published> {
    const edit = async (files: RuleFiles) => {
      const file = fileOf(list);
      const text = files[file] ?? '';
      if (versionOf(text) !== version) throw new AppError('list_changed');
      const edited = await this.#tools.bench.editList({ file, text, change }, { asker: author });
      if ('text' in edited) return { ...files, [file]: edited.text };
      const { at, message } = edited.refused;
      throw new AppError('invalid_request', { details: [{ path: `body/change/${at}`, message }] });
    };
    return this.#tools.publisher.change(edit, author);
  }
}
