import { createHash } from 'node:crypto';
import type { RuleBench } from '../../rule-lab/workbench/rule-bench.ts';
import { entryKey } from '../../rules/canonical-entry.ts';
import { readExpiry } from '../../rules/lint/expiry.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import { ListFault } from './list-fault.ts';
import { fileOf, ListFile, type OwnList, type WrittenEntry } from './list-file.ts';

/** How an entry stands. */
export interface StandingEntry extends WrittenEntry {
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
  /** Of the text; whoever changes the list names the one that they have seen. */
  readonly version: string;
  readonly entries: readonly StandingEntry[];
  /** Mistakes that stand in the file; then there are no entries, and none can be added. */
  readonly faults: readonly string[];
}

/** A month to ask whoever owns the entry whether it is still right. */
const SOON_MS = 30 * 86_400_000;

/** Of a text that is not there too: that is an empty list. */
export function versionOf(text = ''): string {
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
export class OwnListReader {
  readonly #bench: Pick<RuleBench, 'readList'>;
  readonly #lastRead = new Map<OwnList, { readonly text: string; readonly found: Promise<FoundEntries> }>();

  constructor(bench: Pick<RuleBench, 'readList'>) {
    this.#bench = bench;
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
    const reading = { text, found: this.#bench.readList({ file, text }) };
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
