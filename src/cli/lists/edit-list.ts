import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { codeOf } from '../../lib/thrown.ts';
import { fileOf, ListFault, ListFile, type OwnList, type WrittenEntry } from '../../lists/own/list-file.ts';
import { readExpiry } from '../../rules/lint/fields.ts';
import { FileNotHeld, whileHeld } from '../../storage/file-lock.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { loadSettings } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';

export async function addToList(
  shell: Shell,
  name: OwnList,
  entry: WrittenEntry,
  options: CommonOptions,
): Promise<void> {
  const { dir: rulesDir, watch } = await findRules(shell, options);
  const shown = shortPath(join(rulesDir, fileOf(name)), shell.cwd);
  await editList(shell, rulesDir, name, (list) => {
    const twin = list.find(entry.value);
    if (twin) throw new CannotRun(`"${twin.value}" stands in ${shown} already: ${twin.reason}`);
    orCannotRun(() => list.add(entry));
    return entry;
  });
  if (options.json) shell.json({ list: name, added: present(entry) });
  else shell.print(`${printable(entry.value)} added to ${shown}. ${takenAt(watch)}`);
  const end = entry.expires === undefined ? undefined : readExpiry(entry.expires);
  if (end !== undefined && end <= systemClock.now()) {
    shell.note(`warning: ${entry.expires} is past: the entry does nothing`);
  }
  // At equal rank ALLOW wins, which is seldom what is meant by a denial.
  const other = await openList(shell, rulesDir, name === 'allow' ? 'deny' : 'allow');
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
  const shown = shortPath(join(dir, fileOf(name)), shell.cwd);
  const entry = await editList(shell, dir, name, (list) => {
    const found = list.find(value);
    return list.remove(value) ? found : undefined;
  });
  if (!entry) {
    shell.note(`"${value}" does not stand in ${shown}`);
    shell.exitCode = 1;
    return;
  }
  if (options.json) shell.json({ list: name, removed: present(entry) });
  else shell.print(`${printable(entry.value)} removed from ${shown}. ${takenAt(watch)}`);
}

export async function showList(shell: Shell, name: OwnList, options: CommonOptions): Promise<void> {
  const { list } = await openList(shell, (await findRules(shell, options)).dir, name);
  if (options.json) {
    shell.json({ list: name, entries: list.entries.map(present) });
    return;
  }
  shell.print(
    renderTable(
      shell,
      ['value', 'reason', 'owner', 'expires'],
      list.entries.map(({ value, reason, owner, expires }) => [value, reason, owner, expires ?? null]),
    ),
  );
}

async function findRules(shell: Shell, options: CommonOptions) {
  return (await loadSettings(shell, options)).config.rules;
}

function takenAt(watch: boolean): string {
  return `A running service takes it ${watch ? 'within seconds' : 'at SIGHUP'}.`;
}

/** The list as it stands in the rules directory. Throws CannotRun when it has a mistake. */
export async function openList(shell: Shell, rulesDir: string, name: OwnList) {
  const path = join(rulesDir, fileOf(name));
  const shown = shortPath(path, shell.cwd);
  const text = await readText(path);
  return { path, shown, list: orCannotRun(() => new ListFile(text, shown)) };
}

/** Holds a lock from the reading to the writing, so that no other edit is lost. Writes nothing where `edit` has found nothing to change. */
async function editList(
  shell: Shell,
  rulesDir: string,
  name: OwnList,
  edit: (list: ListFile) => WrittenEntry | undefined,
): Promise<WrittenEntry | undefined> {
  const file = join(rulesDir, fileOf(name));
  try {
    return await whileHeld([file], async () => {
      const { path, list } = await openList(shell, rulesDir, name);
      const entry = edit(list);
      if (entry) await save(path, list);
      return entry;
    });
  } catch (error) {
    throw error instanceof FileNotHeld ? new CannotRun(`${file} cannot be written: ${error.message}`) : error;
  }
}

function orCannotRun<Result>(edit: () => Result): Result {
  try {
    return edit();
  } catch (error) {
    throw error instanceof ListFault ? new CannotRun(error.message) : error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw new CannotRun(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

async function save(path: string, list: ListFile): Promise<void> {
  try {
    await replaceFile(path, list.toString());
  } catch (error) {
    throw new CannotRun(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}

function present({ value, reason, owner, expires }: WrittenEntry): Record<string, unknown> {
  return { value, reason, owner, expires: expires ?? null };
}
