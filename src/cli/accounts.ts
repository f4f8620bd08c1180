import type { Command } from 'commander';
import type { Account } from '../accounts/key.ts';
import { withKeyService } from './open-session.ts';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import { printable } from './render/printable.ts';
import { CannotRun, type Shell } from './shell.ts';

export function addAccountCommands(program: Command, shell: Shell): void {
  const accounts = addGroup(program, 'accounts', 'who holds keys');

  withCommonOptions(accounts.command('create'))
    .description('make an account')
    .argument('<name>', 'for people; keys can be made by it')
    .action((name: string, options: CommonOptions) =>
      withKeyService(shell, options, { create: true }, async (keys) => {
        const fault = await faultOf(name);
        if (fault !== undefined) throw new CannotRun(fault);
        // A second one of the same name could only be reached by its id.
        const taken = (await keys.listAccounts()).find((account) => account.name === name);
        if (taken) throw new CannotRun(`there is an account "${name}" already: ${taken.id}`);
        const account = await keys.createAccount(name);
        if (options.json) shell.json({ account: present(account) });
        else shell.print(account.id);
      }),
    );

  withCommonOptions(accounts.command('list'))
    .description('list the accounts')
    .action((options: CommonOptions) =>
      withKeyService(shell, options, { create: false }, async (keys) => {
        const all = await keys.listAccounts();
        if (options.json) {
          shell.json({ accounts: all.map(present) });
          return;
        }
        const { renderTable } = await import('./render/table.ts');
        shell.print(
          renderTable(
            shell,
            ['account', 'name', 'created'],
            all.map(({ id, name, createdAt }) => [id, name, createdAt]),
          ),
        );
      }),
    );
}

/** What keeps people from finding the account by this name. */
async function faultOf(name: string): Promise<string | undefined> {
  const { nameFault } = await import('../accounts/key-service.ts');
  const fault = nameFault(name, 'an account');
  if (fault !== undefined) return fault;
  if (/^acc_/.test(name)) return 'what begins with acc_ is the id of an account';
  return undefined;
}

function present({ id, name, createdAt }: Account): Record<string, unknown> {
  return { id, name, created_at: createdAt };
}

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
