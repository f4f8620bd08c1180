import { createHash } from 'node:crypto';
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
export const SOON_MS = 30 * 86_400_000;

/** Of a text that is not there too: that is an empty list. */
export function versionOf(text = ''): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Reads the lists, each text once while it stays as it is: one with a thousand entries takes a tenth of a second or more. */
export class OwnListReader {
  readonly #lastRead = new Map<OwnList, { readonly text: string; readonly found: Found }>();

  read(list: OwnList, files: RuleFiles, now: number): StandingList {
    const file = fileOf(list);
    const version = versionOf(files[file]);
    const found = this.#find(list, files);
    if (found instanceof ListFault) return { list, file, version, entries: [], faults: found.faults };
    const others = this.#find(list === 'allow' ? 'deny' : 'allow', files);
    return { list, file, version, entries: standing(found, others, now), faults: [] };
  }

  #find(list: OwnList, files: RuleFiles): Found {
    const text = files[fileOf(list)] ?? '';
    const last = this.#lastRead.get(list);
    if (last?.text === text) return last.found;
    const found = entriesOf(fileOf(list), text);
    this.#lastRead.set(list, { text, found });
    return found;
  }
}

type Found = readonly WrittenEntry[] | ListFault;

function standing(found: readonly WrittenEntry[], others: Found, now: number): readonly StandingEntry[] {
  const contested = new Set(
    others instanceof ListFault ? [] : others.filter((entry) => stateOf(entry, now) !== 'expired').map(keyOf),
  );
  const seen = new Set<string>();
  return found.map((entry): StandingEntry => {
    const state = stateOf(entry, now);
    const key = keyOf(entry);
    const isRepeated = seen.has(key);
    seen.add(key);
    return { ...entry, state, isContested: state !== 'expired' && contested.has(key), isRepeated };
  });
}

function entriesOf(file: string, text: string): Found {
  try {
    return new ListFile(text, file).entries;
  } catch (error) {
    if (error instanceof ListFault) return error;
    throw error;
  }
}

export function stateOf({ expires }: WrittenEntry, now: number): StandingEntry['state'] {
  const end = expires === undefined ? undefined : readExpiry(expires);
  if (end === undefined) return 'holds';
  if (end <= now) return 'expired';
  return end - now <= SOON_MS ? 'soon' : 'holds';
}

function keyOf({ value }: WrittenEntry): string {
  return value.toLowerCase();
}
