import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { RulesNotWritten } from '../checks/rule-source.ts';
import { readRuleFile } from '../checks/rules-directory.ts';
import { shortPath } from '../lib/paths.ts';
import { codeOf } from '../lib/thrown.ts';
import { systemClock } from '../lib/time.ts';
import { type EditableList, type ListedEntry, presentEntry } from '../lists/list-file.ts';
import { openEditable } from '../lists/named-list-file.ts';
import { describeTwin, stateOf } from '../lists/own-lists.ts';
import { publishRules } from '../rule-lab/versions/rule-versions.ts';
import { entryKey } from '../rules/list-entries.ts';
import type { RuleFiles } from '../rules/rule-files.ts';
import { FileNotHeld, whileHeld } from '../storage/file-lock.ts';
import { replaceFile } from '../storage/private-files.ts';
import { loadSettings, withStorage } from './open-session.ts';
import { answerTable } from './render/table.ts';
import { userOf } from './rule-versions.ts';
import { judgeAsService, ownRulesOf, readOwnRules, requireRead } from './rules/open-rules.ts';
import { CannotRun, NotThere, orCannotUse, printable, type Shell } from './shell.ts';

/** Finds the path of a list among the rules, which lie in a directory or are published in the database. Throws NotThere. */
export type FindList = (isThere: (path: string) => boolean) => string;

/** Returns the entry that it added or removed; `file` is for messages. */
type Edit = (list: EditableList, file: string) => ListedEntry;

/** Reads a list; empty where `find` names a file that does not exist. Throws ListFault when the file has a mistake, and a StartupError. */
export async function readList(shell: Shell, loaded: LoadedConfig, find: FindList) {
  const { dir, source } = loaded.config.rules;
  if (source === 'database') {
    const { files } = await readOwnRules(shell, loaded);
    return inFiles(files, find);
  }
  const path = find((candidate) => existsSync(join(dir, candidate)));
  const file = join(dir, path);
  const isAbsent = (await stat(file).catch(codeOf)) === 'ENOENT';
  const text = isAbsent ? '' : await readRuleFile(file);
  const list = openEditable(text, path, shortPath(dir, shell.cwd));
  return { path, shown: shortPath(file, shell.cwd), list };
}

function inFiles(files: RuleFiles, find: FindList) {
  const path = find((candidate) => files[candidate] !== undefined);
  return { path, shown: path, list: openEditable(files[path] ?? '', path) };
}

/** Publishes the edited list; other files stay. Where others publish meanwhile, edits what they published: `MOST_TRIES` tries in all. */
async function editPublished(shell: Shell, find: FindList, edit: Edit) {
  return await withStorage(shell, async (session) => {
    const { loaded } = session;
    const { source, versions, taken } = ownRulesOf(session);
    const assess = await judgeAsService(shell, loaded);
    const publish = async () => {
      const { files: before } = await requireRead(source);
      const { path, shown, list } = inFiles(before, find);
      const entry = edit(list, shown);
      const after = { ...before, [path]: list.toString() };
      const { faults, hash } = await assess(after);
      if (faults.length > 0) throw new CannotRun(['nothing is written:', ...faults].join('\n'));
      await publishRules(source, versions, { before, after, hash, author: userOf(shell), restores: null });
      return { entry, loaded, shown, taken };
    };
    for (let tries = 1; ; tries++) {
      try {
        return await publish();
      } catch (error) {
        if (!(error instanceof RulesNotWritten) || tries === MOST_TRIES) throw error;
      }
    }
  });
}

const MOST_TRIES = 5;

/**
 * Edits a list; resolves with the entry that `edit` added or removed, and with words for messages. A file is locked from the reading to
 * the writing, so that no other edit is lost. Where `edit` throws, nothing is written.
 */
async function editRuleList(shell: Shell, find: FindList, edit: Edit) {
  const loaded = await loadSettings(shell);
  const { dir, shippedDir, source, watch } = loaded.config.rules;
  if (source === 'database') return editPublished(shell, find, edit);
  if (shippedDir !== null && !existsSync(dir)) {
    throw new CannotRun(
      `there is no rules directory at ${dir}: is --data-dir right? The first start makes it.`,
    );
  }
  const file = join(
    dir,
    find((path) => existsSync(join(dir, path))),
  );
  const work = async () => {
    const { shown, list } = await readList(shell, loaded, find);
    const entry = edit(list, shown);
    await orCannotUse(file, 'written', () => replaceFile(file, list.toString()));
    const taken = `A running service takes it ${watch ? 'within seconds' : 'at SIGHUP'}.`;
    return { entry, loaded, shown, taken };
  };
  return await whileHeld([file], work).catch((error: unknown) => {
    if (!(error instanceof FileNotHeld)) throw error;
    throw new CannotRun(`${file} cannot be written: ${error.message}`);
  });
}

/** Adds an entry and says so; `name` is that of the list, `means` what else is to be said of the entry. */
export async function addEntry(shell: Shell, name: string, find: FindList, entry: ListedEntry, means = '') {
  const edited = await editRuleList(shell, find, (list, file) => {
    const twin = list.find(entry.value);
    if (twin) {
      const how = describeTwin(twin, systemClock.now());
      throw new CannotRun(`"${twin.value}" stands in ${file} already${how}`);
    }
    list.add(entry);
    return entry;
  });
  const { shown, taken } = edited;
  const answer = { list: name, added: presentEntry(entry), stands_for: entryKey(entry.value) };
  shell.answer(answer, () => shell.print(printable(`${entry.value} added to ${shown}.${means} ${taken}`)));
  if (stateOf(entry, systemClock.now()) === 'expired')
    shell.warn(`${entry.expires} is past: the entry does nothing`);
  return edited;
}

/** Removes an entry and says so; `name` is that of the list. Throws NotThere. */
export async function removeEntry(shell: Shell, name: string, find: FindList, value: string) {
  let twin: ListedEntry | undefined;
  const { entry, shown, taken } = await editRuleList(shell, find, (list, file) => {
    const found = list.find(value);
    if (!found || !list.remove(value)) throw new NotThere(`"${value}" does not stand in ${file}`);
    twin = list.find(value);
    return found;
  });
  shell.answer({ list: name, removed: presentEntry(entry) }, () =>
    shell.print(`${printable(entry.value)} removed from ${shown}. ${taken}`),
  );
  if (twin) shell.warn(`"${twin.value}" stands in ${shown} once more: remove that one too`);
}

/** `counts` goes into the answer for machines. */
export function answerEntries(
  shell: Shell,
  list: string,
  shown: readonly ListedEntry[],
  counts: Readonly<Record<string, number>> = {},
): void {
  const entries = shown.map(presentEntry);
  const headings = ['value', 'reason', 'owner', 'expires'];
  answerTable(shell, { list, entries, ...counts }, headings, entries.map(Object.values));
}
