import { isAscii } from '../email/characters.ts';
import { isoDay } from '../lib/time.ts';
import { listKey } from '../provider-kit/index.ts';
import {
  isExpired,
  LIST_PREFIX,
  type NamedListDefinition,
  type RuleDefinitions,
} from '../rules/definitions.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { isNamedListFile, readNamedLists } from '../rules/lint/read-named-lists.ts';
import { entryKey } from '../rules/list-entries.ts';
import { formatProblem, ProblemList } from '../rules/problem.ts';
import type { RuleFiles } from '../rules/rule-files.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import { type ListedEntry, ListFault, presentEntry } from './list-file.ts';
import { openEditable } from './named-list-file.ts';
import { isSoonOver, type ListText, stateOf, versionOf } from './own-lists.ts';

/** The named lists of a rules directory. Plain data: it travels between processes. */
export type NamedListSummary = ReturnType<typeof describeNamedLists>[number];

/** Takes as long as lint does. The result has the names that leave the process. */
export function describeNamedLists(files: RuleFiles, catalogue: FactCatalogue, now: number) {
  const sources = { dir: '', files };
  const { problems, definitions } = lintRules(sources, catalogue, { now });
  const lists = definitions?.namedLists ?? readNamedLists(sources, now, new ProblemList()).values();
  return Object.keys(files)
    .filter(isNamedListFile)
    .sort()
    .map((file) => {
      const own = problems.filter((problem) => problem.file === file);
      const isFaulty = own.some(({ severity }) => severity === 'error');
      return {
        name: nameOf(file),
        file,
        version: versionOf(files[file]),
        ...countEntries(isFaulty ? undefined : lists.find(({ place }) => place.file === file), now),
        // Null where the rules have errors, so that this is not known.
        rules: definitions ? rulesReading(nameOf(file), definitions) : null,
        faults: own.filter(({ severity }) => severity === 'error').map(formatProblem),
        warnings: own
          .filter(({ severity }) => severity === 'warning')
          .map(({ line, code, message, hint = null }) => ({ line, code, message, hint })),
      };
    });
}

/** `partners` of `lists/partners.yaml`. */
function nameOf(file: string): string {
  return file.replace(/^lists\//, '').replace(/\.(?:yaml|txt)$/, '');
}

function countEntries(list: NamedListDefinition | undefined, now: number) {
  const { description = null, owner = null, entries = [] } = list ?? {};
  const ahead = entries.filter((entry) => !isExpired(entry, now));
  const next = ahead.reduce((soonest, { expires }) => Math.min(soonest, expires ?? Infinity), Infinity);
  return {
    description,
    owner,
    entries: entries.length,
    expiring_soon: ahead.filter(({ expires }) => expires !== null && isSoonOver(expires, now)).length,
    expired: entries.length - ahead.length,
    // The last day on which every entry that holds now still holds.
    next_end: Number.isFinite(next) ? isoDay(next - 1) : null,
  };
}

function rulesReading(name: string, { rules }: RuleDefinitions) {
  return rules
    .filter(({ reads }) => reads.includes(`${LIST_PREFIX}${name}`))
    .map((rule) => ({ id: rule.id, mode: rule.mode, file: rule.place.file }));
}

export interface EntrySearch extends ListText {
  /** A part of a value, a reason or an owner. A domain also finds the entries that cover it. */
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

/** One page of the entries that a search finds, with counts; or the mistakes because of which the list cannot be read. */
export type FoundListed = ReturnType<NamedListReader['find']>;

/** Caches the list that was read last, because its pages are requested one after the other. */
export class NamedListReader {
  #last:
    | (ListText & { readonly entries: readonly ListedEntry[]; readonly repeated: ReadonlySet<number> })
    | undefined;

  find({ file, text, search, offset, limit }: EntrySearch, now: number) {
    try {
      const { entries, repeated } = this.#read({ file, text });
      const isFound = searchFor(search);
      const found = [...entries.entries()].filter(([, entry]) => isFound(entry));
      const page = found.slice(offset, offset + limit).map(([index, entry]) => ({
        ...presentEntry(entry),
        stands_for: entryKey(entry.value),
        state: stateOf(entry, now),
        is_repeated: repeated.has(index),
      }));
      return { total: entries.length, found: found.length, entries: page, faults: [] };
    } catch (error) {
      if (error instanceof ListFault) return { total: 0, found: 0, entries: [], faults: error.faults };
      throw error;
    }
  }

  #read({ file, text }: ListText) {
    if (this.#last?.file === file && this.#last.text === text) return this.#last;
    const { entries } = openEditable(text, file);
    const seen = new Set<string>();
    const repeated = new Set<number>();
    for (const [index, { value }] of entries.entries()) {
      const key = entryKey(value);
      if (seen.has(key)) repeated.add(index);
      seen.add(key);
    }
    this.#last = { file, text, entries, repeated };
    return this.#last;
  }
}

/** Whether a search finds an entry; an empty search finds all. */
export function searchFor(search: string): (entry: ListedEntry) => boolean {
  const word = search.trim().toLowerCase();
  const domain = listKey(word);
  return ({ value, reason = '', owner = '' }) => {
    if ([value, reason, owner].some((text) => text.toLowerCase().includes(word))) return true;
    // As domains are compared: an entry may be written in letters, and a check shows `xn--…`, or the other way round.
    const key = isAscii(value) ? value.toLowerCase() : listKey(value);
    return key.includes(domain) || (key.startsWith('.') && `.${domain}`.endsWith(key));
  };
}
