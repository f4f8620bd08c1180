import { openPipeline } from '../../app/compose/pipeline.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { messageOf } from '../../lib/thrown.ts';
import { type ListStatus, statusOf } from '../../lists/list-status.ts';
import { ListStore, type ListsState } from '../../lists/list-store.ts';
import { OWN_LISTS, type OwnList } from '../../lists/own/list-file.ts';
import { stateOf } from '../../lists/own/own-list-edits.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { openList } from './edit-list.ts';

/** What the lists in use are; with the names that leave the process. */
export interface ListsStatus {
  readonly data: readonly DataStatus[];
  /** Of `lists.urls`, in that order. */
  readonly downloads: readonly ListStatus[];
  readonly own: readonly OwnStatus[];
}

interface DataStatus {
  readonly provider: string;
  readonly name: string;
  readonly version: string | null;
  readonly date: string | null;
  readonly age_days: number | null;
  readonly entries: number;
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

const DAY_MS = 86_400_000;

/** Throws a StartupError when rules are at fault: the providers' data are loaded with their thresholds. */
export async function describeLists(
  shell: Shell,
  options: CommonOptions,
  clock: Clock = systemClock,
): Promise<ListsStatus> {
  const loaded = await loadSettings(shell, options);
  const { policies } = await openPipeline(loaded, await quietLog(shell), clock);
  policies.close();
  const data = [...policies.current.providers.byId].flatMap(([provider, { lists }]) =>
    lists.map(({ name, version = null, date = null, entries }): DataStatus => {
      const time = date === null ? Number.NaN : Date.parse(date);
      const age_days = Number.isNaN(time) ? null : Math.floor((clock.now() - time) / DAY_MS);
      return { provider, name, version, date, age_days, entries };
    }),
  );
  const { dataDir, lists, rules } = loaded.config;
  return {
    downloads: statusOf(lists.urls, await readState(dataDir), {
      now: clock.now(),
      staleAfterHours: lists.staleAfterHours,
    }),
    data: data.toSorted((a, b) => (a.provider < b.provider ? -1 : Number(a.provider > b.provider))),
    own: await Promise.all(OWN_LISTS.map((list) => describeOwn(shell, rules.dir, list, clock))),
  };
}

async function readState(dataDir: string): Promise<ListsState> {
  try {
    return await new ListStore(dataDir).read();
  } catch (error) {
    throw new CannotRun(messageOf(error));
  }
}

async function describeOwn(shell: Shell, rulesDir: string, name: OwnList, clock: Clock): Promise<OwnStatus> {
  const { list, shown } = await openList(shell, rulesDir, name);
  const states = list.entries.map((entry) => stateOf(entry, clock.now()));
  return {
    list: name,
    file: shown,
    entries: list.entries.length,
    expiring_soon: states.filter((state) => state === 'soon').length,
    expired: states.filter((state) => state === 'expired').length,
  };
}

export function printLists(shell: Shell, { data, downloads, own }: ListsStatus): void {
  shell.print(
    renderTable(
      shell,
      ['provider', 'list', 'version', '>entries', 'of', '>days old'],
      data.map(({ provider, name, version, entries, date, age_days }) => [
        provider,
        name,
        version,
        entries,
        date,
        age_days,
      ]),
    ),
  );
  shell.print();
  printDownloads(shell, downloads);
  shell.print(
    renderTable(
      shell,
      ['own list', 'file', '>entries', '>expiring soon', '>expired'],
      own.map(({ list, file, entries, expiring_soon, expired }) => [
        list,
        file,
        entries,
        { text: String(expiring_soon), ...(expiring_soon > 0 && { style: 'yellow' as const }) },
        { text: String(expired), ...(expired > 0 && { style: 'red' as const }) },
      ]),
    ),
  );
}

function printDownloads(shell: Shell, downloads: readonly ListStatus[]): void {
  if (downloads.length === 0) return;
  shell.print(
    renderTable(
      shell,
      ['downloaded list', 'state', '>entries', '>gone', '>hours old', 'last attempt', 'address, and why'],
      downloads.map(({ list, url, state, entries, gone, age_hours, last_attempt, left_out }) => [
        list,
        { text: state, ...(state !== 'fresh' && { style: 'red' as const }) },
        entries,
        gone,
        age_hours,
        last_attempt && `${last_attempt.result} ${last_attempt.at.slice(0, 16)}Z`,
        [
          url,
          ...(last_attempt?.reason ? [last_attempt.reason] : []),
          ...(left_out.length > 0 ? [`left out: ${left_out.join(', ')}`] : []),
        ],
      ]),
    ),
  );
  shell.print();
}
