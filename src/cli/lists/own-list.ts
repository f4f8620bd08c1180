import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { codeOf, messageOf } from '../../lib/thrown.ts';
import { fileOf, ListFault, ListFile, type OwnList, type WrittenEntry } from '../../lists/own/list-file.ts';
import { stateOf } from '../../lists/own/own-list-edits.ts';
import { FileNotHeld, whileHeld } from '../../storage/file-lock.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { loadSettings } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { printTable } from '../render/table.ts';
import { CannotRun, NotThere, orCannotRun, type Shell } from '../shell.ts';

export async function addToList(
  shell: Shell,
  name: OwnList,
  entry: WrittenEntry,
  options: CommonOptions,
): Promise<void> {
  const { dir, watch } = await findRules(shell, options);
  const { shown } = await editList(shell, dir, name, (list, file) => {
    const twin = list.find(entry.value);
    if (twin) throw new CannotRun(`"${twin.value}" stands in ${file} already: ${twin.reason}`);
    list.add(entry);
    return entry;
  });
  shell.answer(options, { list: name, added: present(entry) }, () =>
    shell.print(`${printable(entry.value)} added to ${shown}. ${takenAt(watch)}`),
  );
  if (stateOf(entry, systemClock.now()) === 'expired') {
    shell.note(`warning: ${entry.expires} is past: the entry does nothing`);
  }
  // At equal rank ALLOW wins, which is seldom what is meant by a denial.
  const other = await openList(shell, dir, name === 'allow' ? 'deny' : 'allow');
  if (other.list.find(entry.value)) {
    shell.note(`warning: "${entry.value}" stands in ${other.shown} too: at equal rank ALLOW wins`);
  }
}

export async function removeFromList(
  shell: Shell,
  name: OwnList,
  value: string,
  options: CommonOptions,
): Promise<void> {
  const { dir, watch } = await findRules(shell, options);
  const { entry, shown } = await editList(shell, dir, name, (list, file) => {
    const found = list.find(value);
    if (!found || !list.remove(value)) throw new NotThere(`"${value}" does not stand in ${file}`);
    return found;
  });
  shell.answer(options, { list: name, removed: present(entry) }, () =>
    shell.print(`${printable(entry.value)} removed from ${shown}. ${takenAt(watch)}`),
  );
}

export async function showList(shell: Shell, name: OwnList, options: CommonOptions): Promise<void> {
  const { list } = await openList(shell, (await findRules(shell, options)).dir, name);
  const entries = list.entries.map(present);
  const rows = entries.map(({ value, reason, owner, expires }) => [value, reason, owner, expires]);
  shell.answer(options, { list: name, entries }, () =>
    printTable(shell, ['value', 'reason', 'owner', 'expires'], rows),
  );
}

async function findRules(shell: Shell, options: CommonOptions) {
  return (await loadSettings(shell, options)).config.rules;
}

function takenAt(watch: boolean): string {
  return `A running service takes it ${watch ? 'within seconds' : 'at SIGHUP'}.`;
}

function present({ value, reason, owner, expires }: WrittenEntry) {
  return { value, reason, owner, expires: expires ?? null };
}

/** The list in the rules directory; without the file an empty one. Throws CannotRun when it has a mistake. */
export async function openList(shell: Shell, rulesDir: string, name: OwnList) {
  const path = join(rulesDir, fileOf(name));
  const shown = shortPath(path, shell.cwd);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw new CannotRun(`${path} cannot be read: ${messageOf(error)}`);
  });
  return { path, shown, list: await orCannotRun(() => new ListFile(text, shown), ListFault) };
}

/**
 * Edits the file of a list; resolves with the entry that `edit` added or removed, and the file's name for messages. Holds a lock from
 * the reading to the writing, so that no other edit is lost. Where `edit` throws, nothing is written.
 */
async function editList(
  shell: Shell,
  rulesDir: string,
  name: OwnList,
  edit: (list: ListFile, file: string) => WrittenEntry,
): Promise<{ readonly entry: WrittenEntry; readonly shown: string }> {
  const file = join(rulesDir, fileOf(name));
  const cannotWrite = (error: unknown) => new CannotRun(`${file} cannot be written: ${messageOf(error)}`);
  const work = async () => {
    const { path, shown, list } = await openList(shell, rulesDir, name);
    const entry = await orCannotRun(() => edit(list, shown), ListFault);
    await replaceFile(path, list.toString()).catch((error: unknown) => {
      throw cannotWrite(error);
    });
    return { entry, shown };
  };
  return await whileHeld([file], work).catch((error: unknown) => {
    throw error instanceof FileNotHeld ? cannotWrite(error) : error;
  });
}
