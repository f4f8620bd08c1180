import { setImmediate as afterOtherWork } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Asking } from '../../jobs/job-queue.ts';
import { LastAnswer } from '../../lib/concurrency.ts';
import type { ListedEntry } from '../../lists/list-file.ts';
import {
  type FoundEntries,
  fileOf,
  type ListChange,
  type ListText,
  OWN_LISTS,
  type OwnList,
  standing,
  versionOf,
} from '../../lists/own-lists.ts';
import { canonicalEntry } from '../../rules/list-entries.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { ChangedDownload } from './list-effect.ts';
import type { ListEffect } from './list-flips.ts';
import { type Published, type Publisher, readPublished } from './publisher.ts';
import type { RuleEditingParts, RuleJobs } from './rule-jobs.ts';

/** `jobs` read and edit the lists: a list of 10,000 entries takes seconds. */
export interface ListTools
  extends Pick<RuleEditingParts, 'source' | 'jobs' | 'inForce' | 'clock' | 'hashAddress'> {
  readonly publisher: Pick<Publisher, 'change'>;
}

/** How far back an effect looks. */
export const EFFECT_DAYS = 30;
/** Addresses hashed before other work is let in: some milliseconds. */
const HASHED_AT_ONCE = 500;

/** `version`: the version of the list that the change was made from. */
export interface VersionedChange {
  readonly version: string;
  readonly change: ListChange;
}

interface OwnListChange extends VersionedChange {
  readonly list: OwnList;
}

interface EffectParts {
  readonly files: RuleFiles;
  /** The files that change; `added` are the entries that are new in them. */
  readonly edited: RuleFiles;
  readonly added: readonly ListedEntry[];
  readonly download: ChangedDownload | null;
}

/** Addresses that the rules never block, and those that they always block: `allow.yaml` and `deny.yaml` of the rules directory. */
export class OwnLists {
  /** Cache: each text is read once while it stays the same. */
  readonly #lastRead = { allow: new LastAnswer<FoundEntries>(), deny: new LastAnswer<FoundEntries>() };

  constructor(private readonly tools: ListTools) {}

  /** Both lists, as published. Throws AppError `rules_changed` when the rules cannot be read, and `busy`. */
  async read() {
    const { files } = await readPublished(this.tools.source);
    return Promise.all(OWN_LISTS.map((list) => this.#readList(list, files)));
  }

  /**
   * Writes one change, which goes the way of every change of rules: lint, tests, and the reload. Throws AppError `list_changed` when
   * the list is of another version by now, `invalid_request` when the entry cannot stand there, and what the publisher throws.
   */
  change(list: OwnList, version: string, change: ListChange, author: string): Promise<Published> {
    const asked = { list, version, change };
    return this.tools.publisher.change((files) => this.#edit(files, asked, { asker: author }), author);
  }

  /** What a change would do to recorded checks; nothing is changed. Throws as `change` does before it writes, and `busy`. */
  async effectOf(asked: OwnListChange, asking: Asking): Promise<ListEffect> {
    const { files } = await readPublished(this.tools.source);
    const edited = await this.#edit(files, asked, asking);
    const added = asked.change.kind === 'remove' ? [] : [asked.change.entry];
    return this.#effect({ files, edited, added, download: null }, asking);
  }

  /** What another snapshot of a downloaded list would do to recorded checks. */
  async effectOfDownload(download: ChangedDownload, asking: Asking): Promise<ListEffect> {
    const { files } = await readPublished(this.tools.source);
    return this.#effect({ files, edited: {}, added: [], download }, asking);
  }

  async #effect({ files, edited, added, download }: EffectParts, asking: Asking): Promise<ListEffect> {
    const { jobs, inForce, hashAddress } = this.tools;
    const found = await Promise.all(OWN_LISTS.map((list) => this.#find(list, files)));
    const addresses = await addressesIn([...found.flatMap(({ entries }) => entries), ...added], hashAddress);
    const base = inForce().files;
    const order = { base, candidate: { ...base, ...edited }, addresses, download, days: EFFECT_DAYS };
    return jobs.listEffect(order, asking);
  }

  #edit(files: RuleFiles, { list, ...asked }: OwnListChange, asking: Asking): Promise<RuleFiles> {
    const file = fileOf(list);
    return editFile({ file, text: files[file] ?? '' }, asked, this.tools.jobs, asking);
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
    return this.#lastRead[list].of(text, 0, () => this.tools.jobs.readList({ file, text }));
  }
}

/** The file with the change in it. Throws AppError `list_changed` when it is of another version by now. */
export async function editFile(
  { file, text }: ListText,
  { version, change }: VersionedChange,
  jobs: Pick<RuleJobs, 'editList'>,
  asking: Asking,
): Promise<RuleFiles> {
  if (versionOf(text) !== version) throw new AppError('list_changed');
  return { [file]: await jobs.editList({ file, text, change }, asking) };
}

/** The addresses among the entries, by the hash that records hold of them. */
async function addressesIn(
  entries: readonly ListedEntry[],
  hashAddress: ListTools['hashAddress'],
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  for (const [index, { value }] of entries.entries()) {
    if (index % HASHED_AT_ONCE === HASHED_AT_ONCE - 1) await afterOtherWork();
    if (!value.includes('@')) continue;
    const canonical = canonicalEntry(value);
    addresses.set(hashAddress(canonical), canonical);
  }
  return addresses;
}
