import { type Command, Option } from 'commander';
import { isCheckId, readSubject } from '../labels/gather-labels.ts';
import { FORMATS } from '../lib/row-file.ts';
import { whole } from '../lib/statistics.ts';
import type { LabelSubject, StoredLabel } from '../storage/label-ports.ts';
import { chooseAccount, findAccount } from './accounts.ts';
import { type ImportOptions, importLabels } from './import-labels.ts';
import { openPrivacy, type StorageSession, withStorage } from './open-session.ts';
import { addCommand, type CommonOptions, listOf, numberFrom } from './options.ts';
import { type Cell, printTable } from './render/table.ts';
import { CannotRun, type Shell } from './shell.ts';

export function addCommands(labels: Command, shell: Shell): void {
  addCommand(labels, 'import', 'take the labels of checks or of people from a file')
    .argument('<file>', 'CSV or JSONL; - is standard input')
    .addOption(new Option('--format <format>', 'of the file, where its name does not tell').choices(FORMATS))
    .option(
      '--columns <names>',
      "E-Mail,verdict,told: the check's or the address's, the label's, and the time's, where names do not tell",
      listOf,
    )
    .option('--good <words>', 'words that mean good, besides good', listOf)
    .option('--bad <words>', 'words that mean bad, besides bad: fraud,chargeback', listOf)
    .option('--account <account>', 'whose checks they are of: an id or a name; the only one when absent')
    .option('--source <text>', "where they come from; the file's name when absent")
    .option('--author <name>', 'who gives them; you when absent')
    .option('--skip-bad-rows', 'take the others when rows are at fault')
    .option('--dry-run', 'say what would be done')
    .addHelpText(
      'after',
      '\nEnds with 1 when a row is at fault: nothing is taken then, unless --skip-bad-rows is given.',
    )
    .action((file: string, options: ImportOptions) => importLabels(shell, file, options));

  addCommand(labels, 'list', 'show the labels that were told last, and how many checks are labelled')
    .option('--account <account>', 'of this account only: an id or a name')
    .option('--limit <n>', 'so many labels', numberFrom(1, 999_999), 50)
    .action((options: ListOptions) =>
      withStorage(shell, options, (session) => listLabels(shell, session, options)),
    );

  addCommand(labels, 'remove', 'take back the label of a check, or of a person')
    .argument('<what>', 'chk_…, or the address in any of its forms')
    .option('--account <account>', 'whose it is: an id or a name; the only one when absent')
    .action((what: string, options: RemoveOptions) =>
      withStorage(shell, options, (session) => removeLabel(shell, session, what, options)),
    );
}

interface ListOptions extends CommonOptions {
  readonly account?: string;
  readonly limit: number;
}

async function listLabels(shell: Shell, { storage }: StorageSession, options: ListOptions): Promise<void> {
  const accounts = await storage.accounts.list();
  const accountId = options.account === undefined ? undefined : findAccount(accounts, options.account).id;
  const shown = await storage.labels.list(accountId, options.limit);
  const { good, bad, checks: labelled } = await storage.labels.summarize(accountId);
  const checks = await storage.checks.count({ accountId });
  const unlabelled = checks - labelled;
  const summary = { good, bad, checks, labelled, unlabelled };
  shell.answer(options, { labels: shown.map(present), summary }, () => {
    if (shown.length > 0) printLabels(shell, shown, new Map(accounts.map(({ id, name }) => [id, name])));
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
    ...[source, labelledAt, author, checks],
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

interface RemoveOptions extends CommonOptions {
  readonly account?: string;
}

async function removeLabel(
  shell: Shell,
  session: StorageSession,
  what: string,
  options: RemoveOptions,
): Promise<void> {
  const { accounts, labels } = session.storage;
  const account = chooseAccount(await accounts.list(), options.account);
  const isRemoved = await labels.remove(account.id, await subjectOf(session, what));
  if (!isRemoved) shell.exitCode = 1;
  shell.answer(options, { removed: isRemoved }, () =>
    shell.print(isRemoved ? 'label removed' : 'there is no such label'),
  );
}

async function subjectOf({ loaded }: StorageSession, what: string): Promise<LabelSubject> {
  if (isCheckId(what)) return { checkId: what };
  const privacy = await openPrivacy(loaded);
  const subject = readSubject(what, (canonical) => privacy.hmac(canonical));
  if (typeof subject === 'string') throw new CannotRun(`"${what}": ${subject}`);
  return subject;
}
