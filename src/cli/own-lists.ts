import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { RulesNotWritten } from '../checks/rule-source.ts';
import { shortPath } from '../lib/paths.ts';
import { orIfAbsent } from '../lib/thrown.ts';
import { systemClock } from '../lib/time.ts';
import { fileOf, ListFault, ListFile, type OwnList, stateOf, type WrittenEntry } from '../lists/own-lists.ts';
import { publishRules } from '../rule-lab/versions/publish-rules.ts';
import { entryKey } from '../rules/list-entries.ts';
import { FileNotHeld, whileHeld } from '../storage/file-lock.ts';
import { replaceFile } from '../storage/private-files.ts';
import { loadSettings, withStorage } from './open-session.ts';
import { addCommand, addGroup } from './options.ts';
import { printable } from './render/printable.ts';
import { answerTable } from './render/table.ts';
import { judgeAsService, userOf } from './rule-versions.ts';
import { ownRulesOf, readOwnRules, requireRead } from './rules/own-rules.ts';
import { CannotRun, NotThere, orCannotRun, orCannotUse, type Shell } from './shell.ts';

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
    .action((value: string) => removeFromList(shell, name, value));

  addCommand(list, 'list', `list the entries of ${name}.yaml`).action(() => showList(shell, name));
}

async function addToList(shell: Shell, name: OwnList, entry: WrittenEntry): Promise<void> {
  const { loaded, shown, taken } = await editList(shell, name, (list, file) => {
    const twin = list.find(entry.value);
    if (twin) throw new CannotRun(`"${twin.value}" stands in ${file} already: ${twin.reason}`);
    list.add(entry);
    return entry;
  });
  const key = entryKey(entry.value);
  const means = key === entry.value.toLowerCase() ? '' : ` It stands for ${key}, however that is written.`;
  shell.answer({ list: name, added: present(entry), stands_for: key }, () =>
    shell.print(printable(`${entry.value} added to ${shown}.${means} ${taken}`)),
  );
  if (stateOf(entry, systemClock.now()) === 'expired') {
    shell.warn(`${entry.expires} is past: the entry does nothing`);
  }
  // At equal rank ALLOW wins, which is seldom what is meant by a denial.
  const other = await openList(shell, loaded, name === 'allow' ? 'deny' : 'allow');
  if (other.list.find(entry.value)) {
    shell.warn(`"${entry.value}" stands in ${other.shown} too: at equal rank ALLOW wins`);
  }
}

async function removeFromList(shell: Shell, name: OwnList, value: string): Promise<void> {
  const { entry, shown, taken } = await editList(shell, name, (list, file) => {
    const found = list.find(value);
    if (!found || !list.remove(value)) throw new NotThere(`"${value}" does not stand in ${file}`);
    return found;
  });
  shell.answer({ list: name, removed: present(entry) }, () =>
    shell.print(`${printable(entry.value)} removed from ${shown}. ${taken}`),
  );
}

async function showList(shell: Shell, name: OwnList): Promise<void> {
  const { list } = await openList(shell, await loadSettings(shell), name);
  const entries = list.entries.map(present);
  const rows = entries.map(({ value, reason, owner, expires }) => [value, reason, owner, expires]);
  answerTable(shell, { list: name, entries }, ['value', 'reason', 'owner', 'expires'], rows);
}

function present({ value, reason, owner, expires }: WrittenEntry) {
  return { value, reason, owner, expires: expires ?? null };
}

/** The list of the rules; without the file an empty one. Throws CannotRun when it has a mistake. */
export async function openList(shell: Shell, loaded: LoadedConfig, name: OwnList) {
  const { dir, source } = loaded.config.rules;
  if (source === 'database') {
    const shown = fileOf(name);
    const { files } = await readOwnRules(shell, loaded);
    return { shown, list: await parseList(files[shown] ?? '', shown) };
  }
  const path = join(dir, fileOf(name));
  const shown = shortPath(path, shell.cwd);
  const text = await orCannotUse(path, 'read', orIfAbsent(readFile(path, 'utf8'), ''));
  return { shown, list: await parseList(text, shown) };
}

function parseList(text: string, shown: string): Promise<ListFile> {
  return orCannotRun(() => new ListFile(text, shown), ListFault);
}

type Edit = (list: ListFile, file: string) => WrittenEntry;

/** Publishes the edited list with all else as it is published; where another publishes meanwhile, once more with what that was. */
async function editPublished(shell: Shell, name: OwnList, edit: Edit) {
  return await withStorage(shell, async (session) => {
    const { loaded } = session;
    const { source, versions, taken } = ownRulesOf(shell, session);
    const assess = await judgeAsService(shell, loaded);
    const file = fileOf(name);
    const publish = async () => {
      const { files: before } = await requireRead(source);
      const list = await parseList(before[file] ?? '', file);
      const entry = await orCannotRun(() => edit(list, file), ListFault);
      const after = { ...before, [file]: list.toString() };
      const { faults, hash } = await assess(after);
      if (faults.length > 0) throw new CannotRun(['nothing is written:', ...faults].join('\n'));
      await publishRules(source, versions, { before, after, hash, author: userOf(shell), restores: null });
      return { entry, loaded, shown: file, taken };
    };
    for (let tries = 1; ; tries++) {
      try {
        return await publish();
      } catch (error) {
        if (!(error instanceof RulesNotWritten)) throw error;
        if (tries === MOST_TRIES) throw new CannotRun(error.message);
      }
    }
  });
}

const MOST_TRIES = 5;

/**
 * Edits the file of a list; resolves with the entry that `edit` added or removed, and with words for messages. Holds a lock from the
 * reading to the writing, so that no other edit is lost. Where `edit` throws, nothing is written.
 */
async function editList(shell: Shell, name: OwnList, edit: Edit) {
  const loaded = await loadSettings(shell);
  const { dir, shippedDir, source, watch } = loaded.config.rules;
  if (source === 'database') return editPublished(shell, name, edit);
  const file = join(dir, fileOf(name));
  if (shippedDir !== null && !existsSync(dir)) {
    throw new CannotRun(
      `there is no rules directory at ${dir}: is --data-dir right? The first start makes it.`,
    );
  }
  const work = async () => {
    const { shown, list } = await openList(shell, loaded, name);
    const entry = await orCannotRun(() => edit(list, shown), ListFault);
    await orCannotUse(file, 'written', replaceFile(file, list.toString()));
    const taken = `A running service takes it ${watch ? 'within seconds' : 'at SIGHUP'}.`;
    return { entry, loaded, shown, taken };
  };
  return await whileHeld([file], work).catch((error: unknown) => {
    if (!(error instanceof FileNotHeld)) throw error;
    throw new CannotRun(`${file} cannot be written: ${error.message}`);
  });
}
