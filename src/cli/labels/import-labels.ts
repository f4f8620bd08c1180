import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { LabelGatherer } from '../../labels/gather-labels.ts';
import { LabelWords } from '../../labels/label.ts';
import { chooseLabelColumns } from '../../labels/label-columns.ts';
import { isoTime } from '../../lib/dates.ts';
import { readRows } from '../../lib/read-rows.ts';
import { RowFaults } from '../../lib/row-faults.ts';
import { type Format, formatOf } from '../../lib/row-file.ts';
import { whole } from '../../lib/statistics.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { LabelChanges, LabelStore, LabelSubject } from '../../storage/label-ports.ts';
import { chooseAccount } from '../accounts.ts';
import { type Input, openInput } from '../open-input.ts';
import { openPrivacy, type StorageSession, withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { Progress } from '../render/progress.ts';
import { CannotRun, type Shell } from '../shell.ts';

export interface ImportOptions extends CommonOptions {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly good?: readonly string[];
  readonly bad?: readonly string[];
  readonly account?: string;
  readonly source?: string;
  readonly author?: string;
  readonly skipBadRows?: boolean;
  readonly dryRun?: boolean;
}

/** Subjects whose checks are counted at once: each time a second for a million checks. */
const COUNTED_AT_ONCE = 50_000;

/** All labels of a file, or none of them where a row is at fault and that was not to be passed over. */
export async function importLabels(shell: Shell, file: string, options: ImportOptions): Promise<void> {
  const format = options.format ?? formatOf(file);
  if (format === undefined) throw new CannotRun(`${file}: --format csv or --format jsonl says what it is`);
  const words = new LabelWords(options);
  await withStorage(shell, options, { create: false }, async (session) => {
    const account = chooseAccount(shell, await session.storage.accounts.list(), options.account);
    if (!account) return;
    const now = isoTime(systemClock.now());
    const input = await openInput(shell, file);
    const { gatherer, faults } = await gather(shell, session, input, { ...options, format, words, now });
    const { labels } = session.storage;
    const isStored = !options.dryRun && (faults.count === 0 || options.skipBadRows === true);
    const found: Import = {
      file: input.name,
      account: account.id,
      rows: gatherer.rows,
      unlabelled: gatherer.unlabelled,
      repeated: gatherer.repeated,
      faults,
      reach: await reachOf(shell, labels, account.id, gatherer.subjects),
      changes: isStored
        ? await store(shell, labels, account.id, gatherer, now)
        : await labels.weigh(account.id, gatherer.labels()),
      isStored,
    };
    if (faults.count > 0) shell.exitCode = 1;
    if (options.json) shell.json(presentImport(found));
    else printImport(shell, found);
  });
}

interface Reading extends ImportOptions {
  readonly format: Format;
  readonly words: LabelWords;
  readonly now: string;
}

async function gather(shell: Shell, { loaded }: StorageSession, input: Input, options: Reading) {
  const { words, now, source, author = loginName() } = options;
  const table = await readRows(options.format, input.chunks, {
    name: input.name,
    wanted: options.columns ?? [],
  });
  const columns = chooseLabelColumns(table, input.name);
  const hasHashes = loaded.config.privacy.storeAddresses !== 'none';
  const privacy = columns.email !== null && hasHashes ? await openPrivacy(loaded) : null;
  const faults = new RowFaults();
  const gatherer = new LabelGatherer({
    columns,
    words,
    hmac: privacy && ((canonical) => privacy.hmac(canonical)),
    now,
    source: source ?? basename(input.name),
    author,
    faults,
  });
  const progress = barOf(shell, 'reading', input.totalBytes);
  try {
    for await (const row of table.rows) {
      gatherer.add(row);
      progress.advance(input.bytes());
    }
  } finally {
    progress.stop();
  }
  return { gatherer, faults };
}

async function reachOf(
  shell: Shell,
  labels: LabelStore,
  accountId: string,
  subjects: readonly LabelSubject[],
): Promise<Import['reach']> {
  const progress = barOf(shell, 'matching', subjects.length);
  let checks = 0;
  let unmatched = 0;
  try {
    for (let from = 0; from < subjects.length; from += COUNTED_AT_ONCE) {
      const some = subjects.slice(from, from + COUNTED_AT_ONCE);
      for (const count of await labels.reach(accountId, some)) {
        checks += count;
        if (count === 0) unmatched += 1;
      }
      progress.advance(from + some.length, some.length);
    }
  } finally {
    progress.stop();
  }
  return { checks, unmatched };
}

async function store(
  shell: Shell,
  labels: LabelStore,
  accountId: string,
  gatherer: LabelGatherer,
  now: string,
): Promise<Import['changes']> {
  let done = 0;
  const progress = barOf(shell, 'storing', gatherer.size);
  try {
    return await labels.put(accountId, gatherer.labels(), now, (more) => {
      done += more;
      progress.advance(done, more);
    });
  } finally {
    progress.stop();
  }
}

function barOf(shell: Shell, doing: string, total: number | null): Progress {
  return new Progress({ doing, terminal: shell.terminal, totalBytes: total, clock: systemClock });
}

/** Null where the system has no name for the user, as in some containers. */
function loginName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** What a file of labels held, and what became of it. */
export interface Import {
  readonly file: string;
  readonly account: string;
  readonly rows: number;
  readonly unlabelled: number;
  readonly repeated: number;
  readonly faults: RowFaults;
  /** Recorded checks that the labels are for, and labels that are for none. */
  readonly reach: { readonly checks: number; readonly unmatched: number };
  readonly changes: LabelChanges;
  /** False after a dry run, and where rows at fault kept it from being done. */
  readonly isStored: boolean;
}

export function presentImport(found: Import): Record<string, unknown> {
  const { rows, unlabelled, repeated, faults, reach, changes } = found;
  const { added, changed, same, older, absent } = changes;
  return {
    account_id: found.account,
    stored: found.isStored,
    rows: { read: rows, unlabelled, repeated, at_fault: faults.count },
    labels: { new: added, changed, same, older, absent },
    checks: reach.checks,
    unmatched: reach.unmatched,
    faults: faults.all,
  };
}

export function printImport(shell: Shell, found: Import): void {
  const { file, rows, unlabelled, repeated, faults, reach, changes, isStored } = found;
  for (const line of faults.describe(file)) shell.note(line);
  shell.print(
    listed(`${file}: ${count(rows, 'row')}`, [
      [unlabelled, 'without a label'],
      [repeated, 'of a check or person that another row has'],
      [faults.count, 'at fault'],
    ]),
  );
  const { added, changed, same, older, absent } = changes;
  shell.print(
    listed(`${isStored ? 'stored' : 'would be stored'}: ${whole(added)} new`, [
      [changed, 'changed'],
      [same, 'the same as before'],
      [older, 'left out: what stands was told later'],
      [absent, 'left out: no such check is on record'],
    ]),
  );
  const none = reach.unmatched > 0 ? `; ${whole(reach.unmatched)} match none` : '';
  shell.print(`they are for ${count(reach.checks, 'recorded check')}${none}`);
  if (!isStored && faults.count > 0) {
    shell.note('nothing is stored while a row is at fault: mend the file, or --skip-bad-rows');
  }
}

function listed(head: string, parts: readonly (readonly [count: number, what: string])[]): string {
  const there = parts.filter(([counted]) => counted > 0);
  return [head, ...there.map(([counted, what]) => `${whole(counted)} ${what}`)].join(', ');
}

function count(items: number, what: string): string {
  return `${whole(items)} ${what}${items === 1 ? '' : 's'}`;
}
