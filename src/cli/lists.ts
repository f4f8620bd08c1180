import type { Command } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import { withoutPassword } from '../lib/service-url.ts';
import { compareKeys } from '../lib/text.ts';
import { systemClock } from '../lib/time.ts';
import { type ListStatus, presentData, statusOf } from '../lists/list-status.ts';
import { idOf, type KeptSnapshot, rollBackList } from '../lists/list-store.ts';
import { openListStore } from '../lists/open-list-store.ts';
import { OWN_LISTS, type OwnList, stateOf } from '../lists/own-lists.ts';
import { type ListUpdate, updateList } from '../lists/update-list.ts';
import { createDnsResolver } from '../net/create-dns-resolver.ts';
import type { Clock } from '../provider-kit/index.ts';
import { listsOf } from '../signals/prepare-providers.ts';
import { loadSettings } from './open-session.ts';
import { addCommand } from './options.ts';
import { type Progress, withProgress } from './render/progress.ts';
import { answerTable, type Cell, printTable } from './render/table.ts';
import {
  addNamedListCommands,
  addOwnListCommands,
  expiryCells,
  namedListsOf,
  openList,
  printNamedLists,
} from './rule-lists.ts';
import { openOwnPipeline } from './rules/open-rules.ts';
import { CannotRun, cannotRun, NotThere, type Shell } from './shell.ts';

export function addCommands(lists: Command, shell: Shell): void {
  addCommand(
    lists,
    'status',
    'show each list in use: its version, its size, its age; of those of lists.urls, how the last update went',
  ).action(() => showLists(shell));

  addCommand(
    lists,
    'update',
    'download the lists of lists.urls now; what is not as it should be changes nothing',
  )
    .argument('[lists...]', 'their names or addresses; all unless named')
    .option('--accept', 'take what was refused for its change, or for what it names: you have looked at it')
    .action((names: readonly string[], { accept }) => updateLists(shell, names, accept));

  addCommand(lists, 'rollback', 'restore the snapshot of a downloaded list that was in force before')
    .argument('[list]', 'its name or address; may be left out where there is one only')
    .action((name: string | undefined) => rollBack(shell, name));
  addOwnListCommands(lists, shell, 'allow', 'what is never blocked by the rules');
  addOwnListCommands(lists, shell, 'deny', 'what is always blocked, unless it is allowed at the same rank');
  addNamedListCommands(lists, shell);
}

/** Throws a StartupError when rules are at fault: loading the providers' data takes the thresholds of the rules. */
export async function showLists(shell: Shell, clock: Clock = systemClock): Promise<void> {
  const loaded = await loadSettings(shell);
  const { policies } = await openOwnPipeline(shell, loaded, { clock });
  policies.close();
  const now = clock.now();
  const { lists } = loaded.config;
  await using kept = await openListStore(loaded.config);
  const state = await kept.store.read().catch(cannotRun);
  // With the names that leave the process.
  const downloads = statusOf(lists.urls, state, { now, staleAfterHours: lists.staleAfterHours });
  const data = listsOf(policies.current.providers)
    .toSorted(compareKeys)
    .map((list) => presentData(list, now));
  const own = await Promise.all(OWN_LISTS.map((list) => describeOwn(shell, loaded, list, now)));
  const named = await namedListsOf(shell, loaded, now);
  shell.answer({ downloads, data, own, named }, () => {
    printTable(
      shell,
      ['provider', 'list', 'version', '>entries', 'of', '>days old'],
      data.map((list) => [list.provider, list.name, list.version, list.entries, list.date, list.age_days]),
    );
    shell.print();
    if (downloads.length > 0) {
      const headings = ['state', '>entries', '>gone', '>hours old', 'last attempt', 'address, and why'];
      printTable(shell, ['downloaded list', ...headings], downloads.map(rowOf));
      shell.print();
    }
    printTable(
      shell,
      ['own list', 'file', '>entries', '>expiring soon', '>expired'],
      own.map((list) => [list.list, list.file, list.entries, ...expiryCells(list)]),
    );
    if (named.length > 0) {
      shell.print();
      printNamedLists(shell, named);
    }
  });
}

/** How many entries there are; of these, those that end within thirty days, and those that hold no longer. */
async function describeOwn(shell: Shell, loaded: LoadedConfig, name: OwnList, now: number) {
  const { list, shown } = await openList(shell, loaded, name);
  const states = list.entries.map((entry) => stateOf(entry, now));
  return {
    list: name,
    file: shown,
    entries: list.entries.length,
    expiring_soon: states.filter((state) => state === 'soon').length,
    expired: states.filter((state) => state === 'expired').length,
  };
}

function rowOf({ list, url, state, last_attempt, left_out, ...figures }: ListStatus): readonly Cell[] {
  return [
    list,
    { text: state, style: state === 'fresh' ? undefined : 'red' },
    figures.entries,
    figures.gone,
    figures.age_hours,
    last_attempt && `${last_attempt.result} ${last_attempt.at.slice(0, 16)}Z`,
    [
      url,
      ...(last_attempt?.reason ? [last_attempt.reason] : []),
      ...(left_out.length > 0 ? [`left out: ${left_out.join(', ')}`] : []),
    ],
  ];
}

/** Downloads lists now, rolled back ones too. A running service takes them within seconds. */
async function updateLists(shell: Shell, words: readonly string[], isAccepted?: boolean): Promise<void> {
  const loaded = await loadSettings(shell);
  const { config } = loaded;
  if (isAccepted && words.length === 0) {
    throw new CannotRun('--accept takes only lists that you name: those that you have looked at');
  }
  const urls = chooseLists(config.lists.urls, words);
  const { list } = await openList(shell, loaded, 'allow');
  const now = systemClock.now();
  await using kept = await openListStore(config);
  const tools = {
    config: config.lists,
    store: kept.store,
    dns: createDnsResolver(config.dns),
    clock: systemClock,
    allowed: list.entries.filter((entry) => stateOf(entry, now) !== 'expired'),
  };

  const updates: ListUpdate[] = [];
  const work = async (progress: Progress) => {
    for (const url of urls) {
      updates.push(await updateList(url, tools, { accepted: isAccepted }));
      progress.advance(1);
    }
  };
  await withProgress(shell, 'downloading', urls.length, work, `of ${urls.length} lists`).catch(cannotRun);
  const rows = updates.map(({ id, result, entries, added, removed, reason }): Cell[] => [
    id,
    { text: result, style: reason === null ? undefined : 'red' } as const,
    entries,
    added,
    removed,
    reason,
  ]);
  const headings = ['list', 'result', '>entries', '>new', '>gone', 'why'];
  const shown = updates.map((update) => ({ ...update, url: withoutPassword(update.url) }));
  answerTable(shell, { lists: shown }, headings, rows);
  if (updates.some(({ result }) => result === 'refused' || result === 'failed')) shell.exitCode = 1;
}

/** Puts the previous snapshot of one list back in force. Ends with 1 when there is none. */
async function rollBack(shell: Shell, word: string | undefined): Promise<void> {
  const { config } = await loadSettings(shell);
  const [url, ...others] = chooseLists(config.lists.urls, word === undefined ? [] : [word]);
  if (url === undefined || others.length > 0) {
    throw new CannotRun(`say which of the lists: ${config.lists.urls.map(idOf).join(', ')}`);
  }
  const name = idOf(url);
  await using kept = await openListStore(config);
  const outcome = await rollBackList(url, kept.store).catch(cannotRun);
  if (!outcome.ok) throw new NotThere(`${name} stays as it is: ${outcome.reason}`);
  const { from, to } = outcome;
  shell.answer({ list: name, from: present(from), to: present(to) }, () =>
    shell.print(
      `${name} is what it was: ${to.entries} domains, taken at ${to.taken_at}. The service leaves it alone until the next "lists update".`,
    ),
  );
}

function present({ sha256, entries, taken_at }: KeptSnapshot) {
  return { sha256, entries, taken_at };
}

/** The addresses of `lists.urls` that the words name, each by its address or its name; all where there are no words. */
function chooseLists(urls: readonly string[], words: readonly string[]): readonly string[] {
  if (urls.length === 0) throw new CannotRun('lists.urls is empty: there is nothing to download');
  if (words.length === 0) return urls;
  const names = [...urls.map(idOf), ...urls];
  const unknown = words.filter((word) => !names.includes(word));
  if (unknown.length > 0) {
    throw new CannotRun(
      unknown
        .map((word) => `"${word}" is no list of lists.urls${didYouMean(word, names.map(withoutPassword))}`)
        .join('\n'),
    );
  }
  return urls.filter((url) => words.includes(url) || words.includes(idOf(url)));
}
