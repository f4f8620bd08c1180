import { canonicalDomainOf } from '../../email/canonical.ts';
import { AppError } from '../../errors.ts';
import type { Asking } from '../../jobs/job-queue.ts';
import { LastAnswer } from '../../lib/concurrency.ts';
import { type NewNamedList, newFileOf, refusedMember } from '../../lists/named-list-file.ts';
import type { FoundListed, NamedListSummary } from '../../lists/named-lists.ts';
import { entryKey } from '../../rules/list-entries.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { ListEffect } from './list-flips.ts';
import { EFFECT_DAYS, editFile, type ListTools, type VersionedChange } from './own-lists.ts';
import { type Published, readPublished } from './publisher.ts';

export interface NamedListChange extends VersionedChange {
  readonly name: string;
}

interface EntriesAsked {
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

/** How long a description is cached: entries and rules expire without a change of files. */
const KEPT_MS = 60_000;

/** Lists of domains that rules look into: `lists/` of the rules. */
export class NamedLists {
  readonly #last = new LastAnswer<readonly NamedListSummary[]>(KEPT_MS);

  constructor(private readonly tools: ListTools) {}

  /** The named lists, as published. Throws AppError `rules_changed` when the rules cannot be read, and `busy`. */
  async read(asking?: Asking): Promise<readonly NamedListSummary[]> {
    const { files } = await readPublished(this.tools.source);
    return this.#describe(files, asking);
  }

  /** One named list, with a page of its entries. Throws as `read` does, and `not_found`. */
  async show(
    name: string,
    asked: EntriesAsked,
    asking?: Asking,
  ): Promise<{ readonly list: NamedListSummary; readonly found: FoundListed }> {
    const { files } = await readPublished(this.tools.source);
    const list = (await this.#describe(files, asking)).find((one) => one.name === name);
    if (!list) throw new AppError('not_found');
    const { file } = list;
    const found = await this.tools.jobs.findInList({ file, text: files[file] ?? '', ...asked }, asking);
    return { list, found };
  }

  /**
   * Writes one change, which goes the way of every change of rules: lint, tests, and the reload. Throws AppError `not_found`,
   * `list_changed` when the list is of another version by now, `invalid_request` when the entry cannot stand there, and what the
   * publisher throws.
   */
  change(asked: NamedListChange, author: string): Promise<Published> {
    return this.tools.publisher.change((files) => this.#edit(files, asked, { asker: author }), author);
  }

  /** What a change would do to recorded checks; nothing is changed. Throws as `change` does before it writes, and `busy`. */
  async effectOf(asked: NamedListChange, asking: Asking): Promise<ListEffect> {
    const { files } = await readPublished(this.tools.source);
    const edited = await this.#edit(files, asked, asking);
    const values = asked.change.kind === 'remove' ? [] : [asked.change.entry.value];
    return this.#effectOf(asked.name, edited, values, asking);
  }

  /** Writes a list that was not there, as `change` writes. Throws `invalid_request` where one of this name is there too. */
  make(list: NewNamedList, author: string): Promise<Published> {
    return this.tools.publisher.change((files) => this.#make(files, list, { asker: author }), author);
  }

  /** Which recorded checks the entries would name: no rule looks into the list yet. Throws as `make` does before it writes, and `busy`. */
  async effectOfMaking(list: NewNamedList, asking: Asking): Promise<ListEffect> {
    const { files } = await readPublished(this.tools.source);
    return this.#effectOf(list.name, await this.#make(files, list, asking), list.entries, asking);
  }

  /** `values`: entries that are new in the list. */
  async #effectOf(
    name: string,
    edited: RuleFiles,
    values: readonly string[],
    asking: Asking,
  ): Promise<ListEffect> {
    const base = this.tools.inForce().files;
    const order = { base, candidate: { ...base, ...edited }, name, days: EFFECT_DAYS };
    const effect = await this.tools.jobs.namedListEffect(order, asking);
    const names = values.map((value) => entryKey(value).replace(/^\./, ''));
    return { ...effect, unseen: names.filter((one) => canonicalDomainOf(one) !== one) };
  }

  #describe(files: RuleFiles, asking?: Asking): Promise<readonly NamedListSummary[]> {
    const { jobs, clock } = this.tools;
    // Without the signal: other callers may wait for the same answer after the first one has left.
    const describe = () => jobs.namedLists(files, { asker: asking?.asker });
    return this.#last.of(digestOf(files), clock.now(), describe);
  }

  async #edit(files: RuleFiles, { name, ...asked }: NamedListChange, asking: Asking): Promise<RuleFiles> {
    const file = fileIn(files, name);
    if (file === undefined) throw new AppError('not_found');
    return editFile({ file, text: files[file] ?? '' }, asked, this.tools.jobs, asking);
  }

  async #make(files: RuleFiles, list: NewNamedList, asking: Asking): Promise<RuleFiles> {
    const there = fileIn(files, list.name);
    if (there !== undefined) throw refusedMember('name', `there is such a list: ${there}`);
    return { [newFileOf(list)]: await this.tools.jobs.writeNamedList(list, asking) };
  }
}

function fileIn(files: RuleFiles, name: string): string | undefined {
  return (['yaml', 'txt'] as const)
    .map((kind) => newFileOf({ name, kind }))
    .find((path) => Object.hasOwn(files, path));
}
