import type { Command } from 'commander';
import { type Account, presentAccount } from '../accounts/key.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import type { Storage } from '../storage/ports.ts';
import { keysOf, noteOf, onStorage, type StorageSession } from './open-session.ts';
import { addCommand, type SelectionOptions } from './options.ts';
import { answerTable } from './render/table.ts';
import { CannotRun, NotThere, printable, type Shell } from './shell.ts';

export function addCommands(accounts: Command, shell: Shell): void {
  addCommand(accounts, 'create', 'make an account')
    .argument('<name>', 'for people; keys can be made by it')
    .action(onStorage(shell, createAccount, { create: true }));

  addCommand(accounts, 'list', 'list the accounts').action(
    onStorage(shell, async ({ storage }) => {
      const all = await storage.accounts.list();
      const rows = all.map(({ id, name, createdAt }) => [id, name, createdAt]);
      answerTable(shell, { accounts: all.map(presentAccount) }, ['account', 'name', 'created'], rows);
    }),
  );
}

async function createAccount(session: StorageSession, name: string): Promise<void> {
  const { shell } = session;
  const account = await keysOf(session).createAccount(name, noteOf(session));
  shell.answer({ account: presentAccount(account) }, () => shell.print(account.id));
}

type Missing = typeof NotThere | typeof CannotRun;

/**
 * Finds by id, else by exact name. Throws `missing` when there is none: NotThere, or CannotRun for a command whose exit code 1
 * is a verdict on the account's checks. Throws CannotRun when several have the name.
 */
export function findAccount(accounts: readonly Account[], wanted: string, missing: Missing = NotThere) {
  const byId = accounts.find(({ id }) => id === wanted);
  if (byId) return byId;
  const [first, ...others] = accounts.filter(({ name }) => name === wanted);
  if (others.length > 0) throw new CannotRun(`several accounts are named "${wanted}": give the id`);
  if (!first) {
    const names = accounts.map(({ name }) => printable(name));
    const hint = didYouMean(wanted, names) || ' (postern accounts list)';
    throw new missing(`there is no account "${wanted}"${hint}`);
  }
  return first;
}

/** The id of the account that a filter names; undefined where it names none. Throws as `findAccount` does. */
export async function accountIdOf(storage: Storage, wanted: string | undefined, missing?: Missing) {
  return wanted === undefined ? undefined : findAccount(await storage.accounts.list(), wanted, missing).id;
}

/** Throws CannotRun where no check can lie between, and `missing` where there is no such account. */
export async function selectionOf(storage: Storage, options: SelectionOptions, missing: Missing = CannotRun) {
  const { since, until, account } = options;
  if (since !== undefined && until !== undefined && since >= until)
    throw new CannotRun('--since is not before --until: no check lies between');
  return { since, until, accountId: await accountIdOf(storage, account, missing) };
}

/** The account of that name or id; the only one where none is named. Throws NotThere; CannotRun when several fit, or none exists. */
export function chooseAccount(accounts: readonly Account[], wanted: string | undefined): Account {
  if (wanted !== undefined) return findAccount(accounts, wanted);
  const [first, ...others] = accounts;
  if (first === undefined) throw new CannotRun('there is no account: the first start makes one');
  if (others.length === 0) return first;
  const names = accounts.map(({ id, name }) => `${printable(name)} (${id})`).join(', ');
  throw new CannotRun(`labels belong to an account: --account says which of ${names}`);
}
