import { basename } from 'node:path';
import { LabelGatherer } from '../labels/gather-labels.ts';
import { LabelWords } from '../labels/label.ts';
import { chooseLabelColumns } from '../labels/label-columns.ts';
import { isoTime } from '../lib/dates.ts';
import { readRows } from '../lib/read-rows.ts';
import type { Format } from '../lib/row-file.ts';
import { RowFaults } from '../lib/row-file.ts';
import { whole } from '../lib/statistics.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { LabelChanges, LabelStore, LabelSubject } from '../storage/label-ports.ts';
import { chooseAccount } from './accounts.ts';
import { type Input, openInput } from './open-input.ts';
import { openPrivacy, type StorageSession, withStorage } from './open-session.ts';
import { type CommonOptions, loginName } from './options.ts';
import { counted } from './render/figures.ts';
import { withProgress } from './render/progress.ts';
import type { Shell } from './shell.ts';

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

/** Stores all labels of a file; none of them where a row is at fault, unless such rows are to be skipped. */
export async function importLabels(shell: Shell, file: string, options: ImportOptions): Promise<void> {
  const input = await openInput(shell, file, options.format);
  await withStorage(shell, options, async (session) => {
    const { accounts, labels } = session.storage;
    const account = chooseAccount(await accounts.list(), options.account);
    const now = isoTime(systemClock.now());
    const { gatherer, faults } = await gather(shell, session, input, options, now);
    const isStored = !options.dryRun && (faults.count === 0 || options.skipBadRows === true);
    const reach = await reachOf(shell, labels, account.id, gatherer.subjects);
    const changes = isStored
      ? await store(shell, labels, account.id, gatherer, now)
      : await labels.weigh(account.id, gatherer.labels());
    const found: Import = { input, account: account.id, gatherer, faults, reach, changes, isStored };
    if (faults.count > 0) shell.exitCode = 1;
    shell.answer(options, present(found), () => print(shell, found));
  });
}

async function gather(
  shell: Shell,
  { loaded }: StorageSession,
  input: Input,
  options: ImportOptions,
  now: string,
) {
  const { columns: wanted = [], source = basename(input.name), author = loginName() } = options;
  const table = await readRows(input.format, input.chunks, { name: input.name, wanted });
  const columns = chooseLabelColumns(table, input.name);
  const hasHashes = loaded.config.privacy.storeAddresses !== 'none';
  const privacy = columns.email !== null && hasHashes ? await openPrivacy(loaded) : null;
  const hmac = privacy && ((canonical: string) => privacy.hmac(canonical));
  const words = new LabelWords(options);
  const faults = new RowFaults();
  const gatherer = new LabelGatherer({ columns, words, hmac, now, source, author, faults });
  await withProgress(shell, 'reading', input.totalBytes, async (progress) => {
    for await (const row of table.rows) {
      gatherer.add(row);
      progress.advance(input.bytes());
    }
  });
  return { gatherer, faults };
}

/** Recorded checks that the labels are for, and labels that are for none. */
interface Reach {
  readonly checks: number;
  readonly unmatched: number;
}

/** Subjects whose checks are counted in one query: for a million checks it takes a second. */
const COUNTED_AT_ONCE = 50_000;

function reachOf(
  shell: Shell,
  labels: LabelStore,
  accountId: string,
  subjects: readonly LabelSubject[],
): Promise<Reach> {
  return withProgress(shell, 'matching', subjects.length, async (progress) => {
    let checks = 0;
    let unmatched = 0;
    for (let from = 0; from < subjects.length; from += COUNTED_AT_ONCE) {
      const some = subjects.slice(from, from + COUNTED_AT_ONCE);
      for (const count of await labels.reach(accountId, some)) {
        checks += count;
        if (count === 0) unmatched += 1;
      }
      progress.advance(from + some.length, some.length);
    }
    return { checks, unmatched };
  });
}

function store(
  shell: Shell,
  labels: LabelStore,
  accountId: string,
  gatherer: LabelGatherer,
  now: string,
): Promise<LabelChanges> {
  return withProgress(shell, 'storing', gatherer.size, (progress) => {
    let done = 0;
    return labels.put(accountId, gatherer.labels(), now, (more) => {
      done += more;
      progress.advance(done, more);
    });
  });
}

/** What a file of labels held, and what became of it. */
interface Import {
  readonly input: Input;
  readonly account: string;
  readonly gatherer: LabelGatherer;
  readonly faults: RowFaults;
  readonly reach: Reach;
  readonly changes: LabelChanges;
  /** False after a dry run, and where rows at fault prevented it. */
  readonly isStored: boolean;
}

function present({ account, gatherer, faults, reach, changes, isStored }: Import) {
  const { rows, unlabelled, repeated } = gatherer.counts;
  const { added, changed, same, older, absent } = changes;
  return {
    account_id: account,
    stored: isStored,
    rows: { read: rows, unlabelled, repeated, at_fault: faults.count },
    labels: { new: added, changed, same, older, absent },
    checks: reach.checks,
    unmatched: reach.unmatched,
    faults: faults.all,
  };
}

function print(shell: Shell, { input: { name }, gatherer, faults, reach, changes, isStored }: Import): void {
  for (const line of faults.describe(name)) shell.note(line);
  shell.print(
    listed(`${name}: ${counted(gatherer.counts.rows, 'row')}`, [
      [gatherer.counts.unlabelled, 'without a label'],
      [gatherer.counts.repeated, 'of a check or person that another row has'],
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
  shell.print(`they are for ${counted(reach.checks, 'recorded check')}${none}`);
  if (!isStored && faults.count > 0) {
    shell.note('nothing is stored while a row is at fault: mend the file, or --skip-bad-rows');
  }
}

function listed(head: string, parts: readonly (readonly [count: number, what: string])[]): string {
  const there = parts.filter(([count]) => count > 0);
  return [head, ...there.map(([count, what]) => `${whole(count)} ${what}`)].join(', ');
}
