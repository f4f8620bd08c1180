import type { Command } from 'commander';
import type { Account } from '../accounts/keys/key.ts';
import { nameFault } from '../accounts/keys/name-fault.ts';
import { CannotRun } from './cannot-run.ts';
import { withKeyService } from './open-storage.ts';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addAccountCommands(program: Command, shell: Shell): void {
  const accounts = addGroup(program, 'accounts', 'who holds keys');

  withCommonOptions(accounts.command('create'))
    .description('make an account')
    .argument('<name>', 'for people; keys can be made by it')
    .action((name: string, options: CommonOptions) =>
      withKeyService(shell, options, { create: true }, async (keys) => {
        const fault = faultOf(name);
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
function faultOf(name: string): string | undefined {
  const fault = nameFault(name, 'an account');
  if (fault !== undefined) return fault;
  if (/^acc_/.test(name)) return 'what begins with acc_ is the id of an account';
  return undefined;
}

function present({ id, name, createdAt }: Account): Record<string, unknown> {
  return { id, name, created_at: createdAt };
}
