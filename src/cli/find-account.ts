import type { Account } from '../accounts/keys/key.ts';
import { CannotRun } from './cannot-run.ts';
import { printable } from './render/printable.ts';
import type { Shell } from './shell.ts';

/** By id, else by exact name. Undefined, said, and exit code 1, when there is none. */
export function findAccount(shell: Shell, accounts: readonly Account[], wanted: string): Account | undefined {
  const found = lookUp(accounts, wanted);
  if (!found) {
    shell.note(thereIsNone(wanted));
    shell.exitCode = 1;
  }
  return found;
}

/** The same for what is judged by its checks: throws CannotRun when there is none, for none must not look like a good answer. */
export function knownAccount(accounts: readonly Account[], wanted: string): Account {
  const found = lookUp(accounts, wanted);
  if (!found) throw new CannotRun(thereIsNone(wanted));
  return found;
}

function lookUp(accounts: readonly Account[], wanted: string): Account | undefined {
  const byId = accounts.find(({ id }) => id === wanted);
  if (byId) return byId;
  const [first, ...others] = accounts.filter(({ name }) => name === wanted);
  if (others.length > 0) throw new CannotRun(`several accounts are named "${wanted}": give the id`);
  return first;
}

function thereIsNone(wanted: string): string {
  return `there is no account "${wanted}" (postern accounts list)`;
}

/** The only one, where none is named. Throws CannotRun when there are more. */
export function chooseAccount(
  shell: Shell,
  accounts: readonly Account[],
  wanted: string | undefined,
): Account | undefined {
  if (wanted !== undefined) return findAccount(shell, accounts, wanted);
  const [first, ...others] = accounts;
  if (first === undefined) throw new CannotRun('there is no account: the first start makes one');
  if (others.length === 0) return first;
  const names = accounts.map(({ id, name }) => `${printable(name)} (${id})`).join(', ');
  throw new CannotRun(`labels belong to an account: --account says which of ${names}`);
}
