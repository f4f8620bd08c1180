import type { Command } from 'commander';
import { openCollector } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { canonicalDomainOf } from '../email/canonical.ts';
import { whole } from '../lib/statistics.ts';
import { systemClock } from '../lib/time.ts';
import type { ListedEntry } from '../lists/list-file.ts';
import { describeNamedLists, type NamedListSummary, searchFor } from '../lists/named-lists.ts';
import { fileOf, type OwnList, stateOf } from '../lists/own-lists.ts';
import { entryKey } from '../rules/list-entries.ts';
import { addEntry, answerEntries, type FindList, readList, removeEntry } from './edit-rule-list.ts';
import { loadSettings, quietly } from './open-session.ts';
import { addCommand, addGroup, numberFrom } from './options.ts';
import { type Cell, printTable } from './render/table.ts';
import { readOwnRules } from './rules/open-rules.ts';
import { NotThere, printable, type Shell } from './shell.ts';

/** `lists allow` and `lists deny`. */
export function addOwnListCommands(lists: Command, shell: Shell, name: OwnList, description: string): void {
  const list = addGroup(lists, name, description);

  addCommand(list, 'add', `add an entry to ${name}.yaml in the rules directory; comments stay`)
    .argument('<value>', 'user@x.org, x.org, or .x.org for the domain and its subdomains')
    .requiredOption('--reason <reason>', 'why it stands here')
    .requiredOption('--owner <owner>', 'who answers for it')
    .option('--expires <date>', '2027-06-30: holds to the end of that day, UTC')
    .action((value: string, options: EntryOptions) => addToList(shell, name, entryOf(value, options)));

  addCommand(list, 'remove', `remove an entry from ${name}.yaml`)
    .argument('<value>', 'as it stands there, in any case')
    .action((value: string) => removeEntry(shell, name, ownList(name), value));

  addCommand(list, 'list', `list the entries of ${name}.yaml`).action(() => showList(shell, name));
}

type EntryOptions = Omit<ListedEntry, 'value'>;

/** Has no member that was not given: such a member would be written into the list. */
function entryOf(value: string, { reason, owner, expires }: EntryOptions): ListedEntry {
  return {
    value,
    ...(reason !== undefined && { reason }),
    ...(owner !== undefined && { owner }),
    ...(expires !== undefined && { expires }),
  };
}

async function addToList(shell: Shell, name: OwnList, entry: ListedEntry): Promise<void> {
  const key = entryKey(entry.value);
  const means = key === entry.value.toLowerCase() ? '' : ` It stands for ${key}, however that is written.`;
  const { loaded } = await addEntry(shell, name, ownList(name), entry, means);
  // At equal rank ALLOW wins, which is seldom what is meant by a denial.
  const other = await openList(shell, loaded, name === 'allow' ? 'deny' : 'allow');
  const twin = other.list.find(entry.value);
  if (twin && stateOf(twin, systemClock.now()) !== 'expired') {
    shell.warn(`"${entry.value}" stands in ${other.shown} too: at equal rank ALLOW wins`);
  }
}

async function showList(shell: Shell, name: OwnList): Promise<void> {
  const { list } = await openList(shell, await loadSettings(shell), name);
  answerEntries(shell, name, list.entries);
}

/** The allow or deny list of the rules; empty where its file is missing. Throws ListFault when it has a mistake. */
export function openList(shell: Shell, loaded: LoadedConfig, name: OwnList) {
  return readList(shell, loaded, ownList(name));
}

function ownList(name: OwnList): FindList {
  return () => fileOf(name);
}

/** `lists named`. */
export function addNamedListCommands(lists: Command, shell: Shell): void {
  const named = addGroup(lists, 'named', 'lists of domains in lists/, which rules look into by in_list');

  addCommand(
    named,
    'list',
    'list the named lists: what stands in each, what ends, and which rules read it',
  ).action(() => showNamedLists(shell));

  addCommand(named, 'entries', 'list the entries of a named list')
    .argument('<list>', 'its name: partners for lists/partners.yaml')
    .option('--search <text>', 'those with this in them, or a domain: those that it is in the list by', '')
    .option('--limit <n>', 'so many at most', numberFrom(1, 1_000_000), 100)
    .action((name: string, { search, limit }) => showEntries(shell, name, search, limit));

  addCommand(named, 'add', 'add an entry to a named list; comments stay')
    .argument('<list>', 'its name')
    .argument('<value>', 'x.org, or .x.org for the domain and its subdomains')
    .option('--reason <reason>', 'why it stands here; in a .txt list a comment on its line')
    .option('--owner <owner>', 'who answers for it, where that is not the owner of the list')
    .option('--expires <date>', '2027-06-30: holds to the end of that day, UTC')
    .action((name: string, value: string, options: EntryOptions) =>
      addToNamed(shell, name, entryOf(value, options)),
    );

  addCommand(named, 'remove', 'remove an entry from a named list')
    .argument('<list>', 'its name')
    .argument('<value>', 'as it stands there, in any case')
    .action((name: string, value: string) => removeEntry(shell, name, namedList(name), value));
}

/** The named lists of the rules, with the rules that read each. */
export async function namedListsOf(shell: Shell, loaded: LoadedConfig, now: number) {
  const { files } = await readOwnRules(shell, loaded);
  const { collector } = await openCollector({ loaded, ...quietly(shell) });
  return describeNamedLists(files, collector.catalogue, now);
}

async function showNamedLists(shell: Shell): Promise<void> {
  const lists = await namedListsOf(shell, await loadSettings(shell), systemClock.now());
  shell.answer({ lists }, () => printNamedLists(shell, lists));
  if (lists.some(({ faults }) => faults.length > 0)) shell.exitCode = 1;
}

/** How many entries end soon, and how many hold no longer. */
export function expiryCells(counts: Pick<NamedListSummary, 'expiring_soon' | 'expired'>): readonly Cell[] {
  const { expiring_soon: soon, expired } = counts;
  return [
    { text: String(soon), style: soon > 0 ? 'yellow' : undefined },
    { text: String(expired), style: expired > 0 ? 'red' : undefined },
  ];
}

export function printNamedLists(shell: Shell, lists: readonly NamedListSummary[]): void {
  if (lists.length === 0) {
    shell.print('There is no named list: lists/<name>.yaml or lists/<name>.txt in the rules is one.');
    return;
  }
  const headings = ['named list', '>entries', '>expiring soon', '>expired', 'owner', 'read by'];
  const rows = lists.map((list): Cell[] => [
    list.name,
    whole(list.entries),
    ...expiryCells(list),
    list.owner,
    list.rules === null ? 'the rules have errors' : list.rules.map(({ id }) => id).join(', ') || 'no rule',
  ]);
  printTable(shell, headings, rows);
  for (const fault of lists.flatMap(({ faults }) => faults)) shell.warn(printable(fault));
}

async function showEntries(shell: Shell, name: string, search: string, limit: number): Promise<void> {
  const { list } = await readList(shell, await loadSettings(shell), namedList(name));
  const found = list.entries.filter(searchFor(search));
  const counts = { found: found.length, total: list.entries.length };
  answerEntries(shell, name, found.slice(0, limit), counts);
  if (found.length > limit) {
    shell.note(
      `${whole(found.length)} entries, of which these are the first ${whole(limit)}: --limit shows more`,
    );
  }
}

async function addToNamed(shell: Shell, name: string, entry: ListedEntry): Promise<void> {
  await addEntry(shell, name, namedList(name), entry);
  const domain = entryKey(entry.value).replace(/^\./, '');
  const canonical = canonicalDomainOf(domain);
  if (canonical !== domain) {
    shell.warn(
      `an address at ${domain} counts as one at ${canonical}: rules that read its domain never see ${domain}`,
    );
  }
}

/** By its name, or by that of its file. */
function namedList(word: string): FindList {
  const name = word.replace(/^lists\//, '').replace(/\.(?:yaml|txt)$/, '');
  return (isThere) => {
    const paths = ['yaml', 'txt'].map((ending) => `lists/${name}.${ending}`);
    const isName = /^[a-z\d_]+$/.test(name);
    const path = isName ? paths.find(isThere) : undefined;
    if (path !== undefined) return path;
    const remedy = isName
      ? `a file ${paths.join(' or ')} in the rules makes one`
      : 'a name has a to z, 0 to 9 and _ alone';
    throw new NotThere(
      `there is no list "${name}": "postern lists named list" names those that there are; ${remedy}`,
    );
  };
}
