import { messageOf } from '../../lib/thrown.ts';
import { idOf } from '../../lists/list-state.ts';
import { ListStore } from '../../lists/list-store.ts';
import { rollBackList } from '../../lists/roll-back-list.ts';
import { CannotRun } from '../cannot-run.ts';
import type { CommonOptions } from '../options.ts';
import { loadSettings } from '../settings.ts';
import type { Shell } from '../shell.ts';
import { chooseLists } from './choose-lists.ts';

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
  const outcome = await rollBackList(url, new ListStore(config.dataDir)).catch((error: unknown) => {
    throw new CannotRun(messageOf(error));
  });
  if (!outcome.ok) {
    shell.note(`${name} stays as it is: ${outcome.reason}`);
    shell.exitCode = 1;
    return;
  }
  const { from, to } = outcome;
  if (options.json) shell.json({ list: name, from: present(from), to: present(to) });
  else {
    shell.print(
      `${name} is what it was: ${to.entries} domains, taken at ${to.taken_at}. The service leaves it alone until the next "lists update".`,
    );
  }
}

function present({ sha256, entries, taken_at }: { sha256: string; entries: number; taken_at: string }) {
  return { sha256, entries, taken_at };
}
