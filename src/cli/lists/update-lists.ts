import { systemClock } from '../../lib/system-clock.ts';
import { messageOf } from '../../lib/thrown.ts';
import { createUpdateTools } from '../../lists/create-update-tools.ts';
import { ListStore } from '../../lists/list-store.ts';
import { type ListUpdate, updateList } from '../../lists/update-list.ts';
import { createDnsResolver } from '../../net/create-dns-resolver.ts';
import { readExpiry } from '../../rules/lint/expiry.ts';
import { CannotRun } from '../cannot-run.ts';
import type { CommonOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';
import { loadSettings } from '../settings.ts';
import type { Shell } from '../shell.ts';
import { chooseLists } from './choose-lists.ts';
import { openList } from './edit-list.ts';
import { WaitingBar } from './waiting-bar.ts';

export interface UpdateOptions extends CommonOptions {
  readonly accept?: boolean;
}

/** Downloads lists now, those that were rolled back too. A running service takes them within seconds. */
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
    allowed: list.entries.filter(({ expires }) => expires === undefined || (readExpiry(expires) ?? 0) > now),
  });

  const bar = new WaitingBar(shell.terminal, urls.length);
  const updates: ListUpdate[] = [];
  try {
    for (const url of urls) {
      updates.push(await updateList(url, tools, options.accept));
      bar.advance();
    }
  } catch (error) {
    throw new CannotRun(messageOf(error));
  } finally {
    bar.stop();
  }
  if (options.json) shell.json({ lists: updates });
  else printUpdates(shell, updates);
  if (updates.some(({ result }) => result === 'refused' || result === 'failed')) shell.exitCode = 1;
}

function printUpdates(shell: Shell, updates: readonly ListUpdate[]): void {
  shell.print(
    renderTable(
      shell,
      ['list', 'result', '>entries', '>new', '>gone', 'why'],
      updates.map(({ id, result, entries, added, removed, reason }) => [
        id,
        { text: result, ...(reason !== null && { style: 'red' as const }) },
        entries,
        added,
        removed,
        reason,
      ]),
    ),
  );
}
