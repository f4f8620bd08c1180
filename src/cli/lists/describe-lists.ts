import { openPipeline } from '../../app/compose/pipeline.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { compareKeys } from '../../lib/text.ts';
import { type ListStatus, presentData, statusOf } from '../../lists/list-status.ts';
import { ListStore } from '../../lists/list-store.ts';
import { OWN_LISTS, type OwnList } from '../../lists/own/list-file.ts';
import { stateOf } from '../../lists/own/own-list-edits.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { listsOf } from '../../signals/prepare-providers.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { type Cell, printTable } from '../render/table.ts';
import { cannotRun, type Shell } from '../shell.ts';
import { openList } from './own-list.ts';

/** The lists in use, with the names that leave the process. */
interface ListsStatus {
  /** Of the providers. */
  readonly data: readonly ReturnType<typeof presentData>[];
  /** Of `lists.urls`, in that order. */
  readonly downloads: readonly ListStatus[];
  readonly own: readonly OwnStatus[];
}

interface OwnStatus {
  readonly list: OwnList;
  readonly file: string;
  readonly entries: number;
  /** Of these, those that end within thirty days. */
  readonly expiring_soon: number;
  /** Of these, those that hold no longer. */
  readonly expired: number;
}

/** Throws a StartupError when rules are at fault: the providers' data are loaded with their thresholds. */
export async function describeLists(
  shell: Shell,
  options: CommonOptions,
  clock: Clock = systemClock,
): Promise<ListsStatus> {
  const loaded = await loadSettings(shell, options);
  const { policies } = await openPipeline(loaded, quietLog(shell), clock);
  policies.close();
  const now = clock.now();
  const { dataDir, lists, rules } = loaded.config;
  const state = await new ListStore(dataDir).read().catch(cannotRun);
  return {
    downloads: statusOf(lists.urls, state, { now, staleAfterHours: lists.staleAfterHours }),
    data: listsOf(policies.current.providers)
      .toSorted(compareKeys)
      .map((list) => presentData(list, now)),
    own: await Promise.all(OWN_LISTS.map((list) => describeOwn(shell, rules.dir, list, now))),
  };
}

async function describeOwn(shell: Shell, rulesDir: string, name: OwnList, now: number): Promise<OwnStatus> {
  const { list, shown } = await openList(shell, rulesDir, name);
  const states = list.entries.map((entry) => stateOf(entry, now));
  return {
    list: name,
    file: shown,
    entries: list.entries.length,
    expiring_soon: states.filter((state) => state === 'soon').length,
    expired: states.filter((state) => state === 'expired').length,
  };
}

export function printLists(shell: Shell, { data, downloads, own }: ListsStatus): void {
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
    own.map(({ list, file, entries, expiring_soon, expired }) => [
      ...[list, file, entries],
      { text: String(expiring_soon), style: expiring_soon > 0 ? 'yellow' : undefined },
      { text: String(expired), style: expired > 0 ? 'red' : undefined },
    ]),
  );
}

function rowOf({ list, url, state, last_attempt, left_out, ...figures }: ListStatus): readonly Cell[] {
  return [
    list,
    { text: state, style: state === 'fresh' ? undefined : 'red' },
    ...[figures.entries, figures.gone, figures.age_hours],
    last_attempt && `${last_attempt.result} ${last_attempt.at.slice(0, 16)}Z`,
    [
      url,
      ...(last_attempt?.reason ? [last_attempt.reason] : []),
      ...(left_out.length > 0 ? [`left out: ${left_out.join(', ')}`] : []),
    ],
  ];
}
