import { join } from 'node:path';
import type { Command } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { ListFile, type WrittenEntry } from '../lists/list-file.ts';
import { fileOf, type OwnList } from '../lists/own-lists.ts';
import { entryKey } from '../rules/list-entries.ts';
import {
  addOnce,
  answerEntries,
  editRuleList,
  presentEntry,
  readList,
  removeEntry,
  type WantedList,
  warnIfPast,
} from './edit-rule-list.ts';
import { loadSettings } from './open-session.ts';
import { addCommand, addGroup } from './options.ts';
import { printable } from './render/printable.ts';
import type { Shell } from './shell.ts';

/** `lists allow` and `lists deny`. */
export function addOwnListCommands(lists: Command, shell: Shell, name: OwnList, description: string): void {
  const list = addGroup(lists, name, description);

  addCommand(list, 'add', `add an entry to ${name}.yaml in the rules directory; comments stay`)
    .argument('<value>', 'user@x.org, x.org, or .x.org for the domain and its subdomains')
    .requiredOption('--reason <reason>', 'why it stands here')
    .requiredOption('--owner <owner>', 'who answers for it')
    .option('--expires <date>', '2027-06-30: holds to the end of that day, UTC')
    .action((value: string, { reason, owner, expires }: Omit<WrittenEntry, 'value'>) =>
      addToList(shell, name, { value, reason, owner, ...(expires !== undefined && { expires }) }),
    );

  addCommand(list, 'remove', `remove an entry from ${name}.yaml`)
    .argument('<value>', 'as it stands there, in any case')
    .action((value: string) => removeEntry(shell, name, ownList(name), value));

  addCommand(list, 'list', `list the entries of ${name}.yaml`).action(() => showList(shell, name));
}

async function addToList(shell: Shell, name: OwnList, entry: WrittenEntry): Promise<void> {
  const { loaded, shown, taken } = await editRuleList(shell, ownList(name), (list, file) =>
    addOnce(list, file, entry),
  );
  const key = entryKey(entry.value);
  const means = key === entry.value.toLowerCase() ? '' : ` It stands for ${key}, however that is written.`;
  shell.answer({ list: name, added: presentEntry(entry), stands_for: key }, () =>
    shell.print(printable(`${entry.value} added to ${shown}.${means} ${taken}`)),
  );
  warnIfPast(shell, entry);
  // At equal rank ALLOW wins, which is seldom what is meant by a denial.
  const other = await openList(shell, loaded, name === 'allow' ? 'deny' : 'allow');
  if (other.list.find(entry.value)) {
    shell.warn(`"${entry.value}" stands in ${other.shown} too: at equal rank ALLOW wins`);
  }
}

async function showList(shell: Shell, name: OwnList): Promise<void> {
  const { list } = await openList(shell, await loadSettings(shell), name);
  answerEntries(shell, { list: name, entries: list.entries.map(presentEntry) });
}

/** The list of the rules; without the file an empty one. Throws CannotRun when it has a mistake. */
export function openList(shell: Shell, loaded: LoadedConfig, name: OwnList) {
  return readList(shell, loaded, ownList(name));
}

function ownList(name: OwnList): WantedList<ListFile> {
  const path = fileOf(name);
  return { find: () => path, parse: (text, dir) => new ListFile(text, join(dir, path)) };
}
