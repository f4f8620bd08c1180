import { basename } from 'node:path';
import type { Command } from 'commander';
import { chooseLabelColumns, gatherLabels, isCheckId, readSubject } from '../labels/gather-labels.ts';
import { LabelWords } from '../labels/label.ts';
import { readRows } from '../lib/read-rows.ts';
import { RowFaults } from '../lib/row-file.ts';
import { counted, whole } from '../lib/statistics.ts';
import { isoTime, systemClock } from '../lib/time.ts';
import type { LabelSubject, StoredLabel } from '../storage/label-ports.ts';
import { accountIdOf, chooseAccount } from './accounts.ts';
import { type Input, type InputOptions, openInput } from './open-input.ts';
import { onStorage, openPrivacy, type StorageSession, withStorage } from './open-session.ts';
import { addCommand, addInputOptions, listOf, loginName, notEmpty, numberFrom } from './options.ts';
import { withProgress } from './render/progress.ts';
import { type Cell, printTable } from './render/table.ts';
import { CannotRun, type Shell } from './shell.ts';

export function addCommands(labels: Command, shell: Shell): void {
  const importing = addCommand(labels, 'import', 'take the labels of checks or of people from a file');
  addInputOptions(
    importing.argument('<file>', 'CSV or JSONL; - is standard input', notEmpty),
    "E-Mail,verdict,told: the check's or the address's, the label's, and the time's, where names do not tell",
  )
    .option('--good <words>', 'words that mean good, besides good', listOf)
    .option('--bad <words>', 'words that mean bad, besides bad: fraud,chargeback', listOf)
    .option('--account <account>', 'whose checks they are of: an id or a name; the only one when absent')
    .option('--source <text>', "where they come from; the file's name when absent", notEmpty)
    .option('--author <name>', 'who gives them; you when absent', notEmpty)
    .option('--skip-bad-rows', 'import the other rows when some are at fault')
    .option('--dry-run', 'say what would be done')
    .addHelpText(
      'after',
      '\nEnds with 1 when a row is at fault: nothing is taken then, unless --skip-bad-rows is given.',
    )
    .action((file: string, options: ImportOptions) => importLabels(shell, file, options));

  addCommand(labels, 'list', 'show the labels that were told last, and how many checks are labelled')
    .option('--account <account>', 'of this account only: an id or a name')
    .option('--limit <n>', 'so many labels', numberFrom(1, 999_999), 50)
    .action(onStorage(shell, listLabels));

  addCommand(labels, 'remove', 'remove the label of a check or of a person')
    .argument('<what>', 'chk_…, or the address in any of its forms')
    .option('--account <account>', 'whose it is: an id or a name; the only one when absent')
    .action(onStorage(shell, removeLabel));
}

interface ImportOptions extends InputOptions {
  readonly good?: readonly string[];
  readonly bad?: readonly string[];
  readonly account?: string;
  readonly source?: string;
  readonly author?: string;
  readonly skipBadRows?: boolean;
  readonly dryRun?: boolean;
}

/** Stores all labels of a file; none of them where a row is at fault, unless such rows are to be skipped. */
async function importLabels(shell: Shell, file: string, options: ImportOptions): Promise<void> {
  const input = await openInput(shell, file, options);
  await withStorage(shell, async (session) => {
    const { accounts, labels } = session.storage;
    const account = chooseAccount(await accounts.list(), options.account).id;
    const now = isoTime(systemClock.now());
    const faults = new RowFaults();
    const { labels: gathered, counts: read } = await gather(session, input, { ...options, now, faults });
    const isHeldUp = faults.count > 0 && !options.skipBadRows;
    const isStored = !options.dryRun && !isHeldUp;
    const reached = await labels.reach(
      account,
      gathered.map(({ subject }) => subject),
    );
    const checks = reached.reduce((sum, count) => sum + count, 0);
    const unmatched = reached.filter((count) => count === 0).length;
    const { added, ...others } = isStored
      ? await withProgress(shell, 'storing', gathered.length, (progress) =>
          labels.put(account, gathered, now, (more) => progress.advance(more)),
        )
      : await labels.weigh(account, gathered);
    const { rows, unlabelled, repeated } = read;
    const answer = {
      account_id: account,
      stored: isStored,
      rows: { read: rows, unlabelled, repeated, at_fault: faults.count },
      labels: { new: added, ...others },
      checks,
      unmatched,
      faults: faults.all,
    };
    if (faults.count > 0) shell.exitCode = 1;
    shell.answer(answer, () => {
      for (const line of faults.describe(input.name)) shell.note(line);
      shell.print(
        listed(`${input.name}: ${counted(rows, 'row')}`, [
          [unlabelled, 'without a label'],
          [repeated, 'of a check or person that another row has'],
          [faults.count, 'at fault'],
        ]),
      );
      shell.print(
        listed(`${isStored ? 'stored' : 'would be stored'}: ${whole(added)} new`, [
          [others.changed, 'changed'],
          [others.same, 'the same as before'],
          [others.older, 'left out: what stands was told later'],
          [others.absent, 'left out: no such check is on record'],
        ]),
      );
      const none = unmatched > 0 ? `; ${whole(unmatched)} match none` : '';
      shell.print(`they are for ${counted(checks, 'recorded check')}${none}`);
      if (isHeldUp)
        shell.note('nothing is stored while a row is at fault: mend the file, or --skip-bad-rows');
    });
  });
}

async function gather(
  session: StorageSession,
  input: Input,
  options: ImportOptions & { readonly now: string; readonly faults: RowFaults },
): ReturnType<typeof gatherLabels> {
  const { now, faults, columns: wanted = [] } = options;
  const { source = basename(input.name), author = loginName() } = options;
  const table = await readRows(input, { wanted });
  const columns = chooseLabelColumns(table, input.name);
  const hasHashes = session.loaded.config.privacy.storeAddresses !== 'none';
  const privacy = columns.email !== null && hasHashes ? await openPrivacy(session) : null;
  const hmac = privacy && ((canonical: string) => privacy.hmac(canonical));
  const words = new LabelWords(options);
  return await withProgress(session.shell, 'reading', input.totalBytes, (progress) => {
    const onRow = () => progress.advance(1, input.bytes());
    return gatherLabels({ rows: table.rows, columns, words, hmac, now, source, author, faults, onRow });
  });
}

function listed(head: string, parts: readonly (readonly [count: number, what: string])[]): string {
  const there = parts.filter(([count]) => count > 0);
  return [head, ...there.map(([count, what]) => `${whole(count)} ${what}`)].join(', ');
}

async function listLabels(
  { shell, storage }: StorageSession,
  { account, limit }: { readonly account?: string; readonly limit: number },
): Promise<void> {
  const accountId = await accountIdOf(storage, account);
  const shown = await storage.labels.list(accountId, limit);
  const { good, bad, checks: labelled } = await storage.labels.summarize(accountId);
  const checks = await storage.checks.count({ accountId });
  const unlabelled = checks - labelled;
  const names = new Map((await storage.accounts.list()).map(({ id, name }) => [id, name]));
  const summary = { good, bad, checks, labelled, unlabelled };
  shell.answer({ labels: shown.map(present), summary }, () => {
    if (shown.length > 0) printLabels(shell, shown, names);
    if (shown.length < good + bad) shell.print(`… the last ${whole(shown.length)} of ${whole(good + bad)}`);
    shell.print(
      `${whole(good)} good, ${whole(bad)} bad; recorded checks: ${whole(labelled)} labelled, ${whole(unlabelled)} unlabelled`,
    );
  });
}

function printLabels(shell: Shell, labels: readonly StoredLabel[], names: ReadonlyMap<string, string>): void {
  const hasAccounts = names.size > 1;
  const rows = labels.map(({ accountId, subject, label, source, labelledAt, author, checks }): Cell[] => [
    ...(hasAccounts ? [names.get(accountId) ?? accountId] : []),
    'checkId' in subject ? subject.checkId : '(hashed)',
    { text: label, style: label === 'bad' ? 'red' : 'green' },
    source,
    labelledAt,
    author,
    checks,
  ]);
  const headings = ['subject', 'label', 'source', 'told', 'author', '>checks'];
  printTable(shell, hasAccounts ? ['account', ...headings] : headings, rows);
}

function present({ accountId, subject, label, source, labelledAt, author, checks }: StoredLabel) {
  return {
    account_id: accountId,
    check_id: 'checkId' in subject ? subject.checkId : null,
    address_hmac: 'addressHmac' in subject ? subject.addressHmac : null,
    label,
    source,
    labelled_at: labelledAt,
    author,
    checks,
  };
}

async function removeLabel(session: StorageSession, what: string, options: { readonly account?: string }) {
  const { shell, storage } = session;
  const { accounts, labels } = storage;
  const account = chooseAccount(await accounts.list(), options.account);
  const { removed } = await labels.remove(account.id, [await subjectOf(session, what)]);
  const isRemoved = removed > 0;
  if (!isRemoved) shell.exitCode = 1;
  shell.answer({ removed: isRemoved }, () =>
    shell.print(isRemoved ? 'label removed' : 'there is no such label'),
  );
}

async function subjectOf(session: StorageSession, what: string): Promise<LabelSubject> {
  if (isCheckId(what)) return { checkId: what };
  const privacy = await openPrivacy(session);
  const subject = readSubject(what, (canonical) => privacy.hmac(canonical));
  if (typeof subject === 'string') throw new CannotRun(`"${what}": ${subject}`);
  return subject;
}
