import { didYouMean } from '../../lib/did-you-mean.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { idOf, type KeptSnapshot, ListStore, rollBackList } from '../../lists/list-store.ts';
import { stateOf } from '../../lists/own/own-list-edits.ts';
import { createUpdateTools, type ListUpdate, updateList } from '../../lists/update-list.ts';
import { createDnsResolver } from '../../net/create-dns-resolver.ts';
import { loadSettings } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { type Progress, withProgress } from '../render/progress.ts';
import { type Cell, printTable } from '../render/table.ts';
import { CannotRun, cannotRun, NotThere, type Shell } from '../shell.ts';
import { openList } from './own-list.ts';

export interface UpdateOptions extends CommonOptions {
  readonly accept?: boolean;
}

/** Downloads lists now, rolled back ones too. A running service takes them within seconds. */
export async function updateLists(
  shell: Shell,
  words: readonly string[],
  options: UpdateOptions,
): Promise<void> {
  const { config } = await loadSettings(shell, options);
  if (options.accept && words.length === 0) {
    throw new CannotRun('--accept takes only lists that you name: those that you have looked at');
  }
  const urls = chooseLists(config.lists.urls, words);
  const { list } = await openList(shell, config.rules.dir, 'allow');
  const now = systemClock.now();
  const tools = createUpdateTools({
    config: config.lists,
    store: new ListStore(config.dataDir),
    dns: createDnsResolver(config.dns),
    clock: systemClock,
    allowed: list.entries.filter((entry) => stateOf(entry, now) !== 'expired'),
  });

  const work = async (progress: Progress) => {
    const updates: ListUpdate[] = [];
    for (const url of urls) {
      updates.push(await updateList(url, tools, options.accept));
      progress.advance(updates.length);
    }
    return updates;
  };
  const unit = `of ${urls.length} lists`;
  const updates = await withProgress(shell, 'downloading', urls.length, work, unit).catch(cannotRun);
  shell.answer(options, { lists: updates }, () => printUpdates(shell, updates));
  if (updates.some(({ result }) => result === 'refused' || result === 'failed')) shell.exitCode = 1;
}

function printUpdates(shell: Shell, updates: readonly ListUpdate[]): void {
  const rows = updates.map(({ id, result, entries, added, removed, reason }): Cell[] => {
    const shown: Cell = { text: result, style: reason === null ? undefined : 'red' };
    return [id, shown, entries, added, removed, reason];
  });
  printTable(shell, ['list', 'result', '>entries', '>new', '>gone', 'why'], rows);
}

/** Puts the snapshot before back in force, of one list. Ends with 1 when there is none. */
export async function rollBack(
  shell: Shell,
  word: string | undefined,
  options: CommonOptions,
): Promise<void> {
  const { config } = await loadSettings(shell, options);
  const [url, ...others] = chooseLists(config.lists.urls, word === undefined ? [] : [word]);
  if (url === undefined || others.length > 0) {
    throw new CannotRun(`say which of the lists: ${config.lists.urls.map(idOf).join(', ')}`);
  }
  const name = idOf(url);
  const outcome = await rollBackList(url, new ListStore(config.dataDir)).catch(cannotRun);
  if (!outcome.ok) throw new NotThere(`${name} stays as it is: ${outcome.reason}`);
  const { from, to } = outcome;
  shell.answer(options, { list: name, from: present(from), to: present(to) }, () =>
    shell.print(
      `${name} is what it was: ${to.entries} domains, taken at ${to.taken_at}. The service leaves it alone until the next "lists update".`,
    ),
  );
}

function present({ sha256, entries, taken_at }: KeptSnapshot) {
  return { sha256, entries, taken_at };
}

/** The addresses of `lists.urls` that the words name, each by its address or its name; all where there are none. */
function chooseLists(urls: readonly string[], words: readonly string[]): readonly string[] {
  if (urls.length === 0) throw new CannotRun('lists.urls is empty: there is nothing to download');
  if (words.length === 0) return urls;
  const names = [...urls.map(idOf), ...urls];
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0) {
    throw new CannotRun(
      unknown.map((word) => `"${word}" is no list of lists.urls${didYouMean(word, names)}`).join('\n'),
    );
  }
  return urls.filter((url) => words.includes(url) || words.includes(idOf(url)));
}
