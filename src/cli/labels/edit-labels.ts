import { isCheckId, readSubject } from '../../labels/gather-labels.ts';
import { whole } from '../../lib/statistics.ts';
import type { LabelSubject, StoredLabel } from '../../storage/label-ports.ts';
import { chooseAccount, findAccount } from '../accounts.ts';
import { openPrivacy, type StorageSession, withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { type Cell, renderTable } from '../render/table.ts';
import { CannotRun, type Shell } from '../shell.ts';

export interface ListOptions extends CommonOptions {
  readonly account?: string;
  readonly limit: number;
}

export async function listLabels(shell: Shell, options: ListOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, async ({ storage }) => {
    const accounts = await storage.accounts.list();
    const account = options.account === undefined ? null : findAccount(shell, accounts, options.account);
    if (account === undefined) return;
    const shown = await storage.labels.list(account?.id, options.limit);
    const { good, bad, checks: labelled } = await storage.labels.summarize(account?.id);
    const checks = await storage.checks.count({ accountId: account?.id });
    if (options.json) {
      const sums = { good, bad, checks, labelled, unlabelled: checks - labelled };
      shell.json({ labels: shown.map(present), summary: sums });
      return;
    }
    if (shown.length > 0) printTable(shell, shown, new Map(accounts.map(({ id, name }) => [id, name])));
    if (shown.length < good + bad) shell.print(`… the last ${whole(shown.length)} of ${whole(good + bad)}`);
    shell.print(
      `${whole(good)} good, ${whole(bad)} bad; recorded checks: ${whole(labelled)} labelled, ${whole(checks - labelled)} unlabelled`,
    );
  });
}

function printTable(shell: Shell, labels: readonly StoredLabel[], names: ReadonlyMap<string, string>): void {
  const hasAccounts = names.size > 1;
  const row = (label: StoredLabel): readonly Cell[] => [
    ...(hasAccounts ? [names.get(label.accountId) ?? label.accountId] : []),
    'checkId' in label.subject ? label.subject.checkId : '(hashed)',
    { text: label.label, style: label.label === 'bad' ? 'red' : 'green' },
    label.source,
    label.labelledAt,
    label.author,
    label.checks,
  ];
  const headings = ['subject', 'label', 'source', 'told', 'author', '>checks'];
  shell.print(renderTable(shell, hasAccounts ? ['account', ...headings] : headings, labels.map(row)));
}

function present(label: StoredLabel): Record<string, unknown> {
  const { subject } = label;
  return {
    account_id: label.accountId,
    check_id: 'checkId' in subject ? subject.checkId : null,
    address_hmac: 'addressHmac' in subject ? subject.addressHmac : null,
    label: label.label,
    source: label.source,
    labelled_at: label.labelledAt,
    author: label.author,
    checks: label.checks,
  };
}

export interface RemoveOptions extends CommonOptions {
  readonly account?: string;
}

export async function removeLabel(shell: Shell, what: string, options: RemoveOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, async (session) => {
    const account = chooseAccount(shell, await session.storage.accounts.list(), options.account);
    if (!account) return;
    const isRemoved = await session.storage.labels.remove(account.id, await subjectOf(session, what));
    if (!isRemoved) shell.exitCode = 1;
    if (options.json) shell.json({ removed: isRemoved });
    else shell.print(isRemoved ? 'label removed' : 'there is no such label');
  });
}

async function subjectOf({ loaded }: StorageSession, what: string): Promise<LabelSubject> {
  if (isCheckId(what)) return { checkId: what };
  const privacy = await openPrivacy(loaded);
  const subject = readSubject(what, (canonical) => privacy.hmac(canonical));
  if (typeof subject === 'string') throw new CannotRun(`"${what}": ${subject}`);
  return subject;
}
