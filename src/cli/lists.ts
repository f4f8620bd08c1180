import type { Command } from 'commander';
import type { OwnList } from '../lists/own/list-file.ts';
import type { UpdateOptions } from './lists/update-lists.ts';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

interface AddOptions extends CommonOptions {
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

export function addListCommands(program: Command, shell: Shell): void {
  const lists = addGroup(program, 'lists', "domain lists, the operator's own among them");

  withCommonOptions(lists.command('status'))
    .description(
      'show each list in use: its version, its size, its age; of those of lists.urls, how the last update went',
    )
    .action(async (options: CommonOptions) => {
      const { describeLists, printLists } = await import('./lists/describe-lists.ts');
      const status = await describeLists(shell, options);
      if (options.json) shell.json(status);
      else printLists(shell, status);
    });

  withCommonOptions(lists.command('update'))
    .description('download the lists of lists.urls now; what is not as it should be changes nothing')
    .argument('[lists...]', 'their names or addresses; all unless named')
    .option('--accept', 'take what was refused for its change, or for what it names: you have looked at it')
    .action(async (names: readonly string[], options: UpdateOptions) => {
      const { updateLists } = await import('./lists/update-lists.ts');
      await updateLists(shell, names, options);
    });

  withCommonOptions(lists.command('rollback'))
    .description('put the snapshot of a downloaded list back that was in force before')
    .argument('[list]', 'its name or address; may be left out where there is one only')
    .action(async (name: string | undefined, options: CommonOptions) => {
      const { rollBack } = await import('./lists/update-lists.ts');
      await rollBack(shell, name, options);
    });
  addList(lists, shell, 'allow', 'what is never blocked by the rules');
  addList(lists, shell, 'deny', 'what is always blocked, unless it is allowed at the same rank');
}

function addList(lists: Command, shell: Shell, name: OwnList, description: string): void {
  const list = addGroup(lists, name, description);

  withCommonOptions(list.command('add'))
    .description(`add an entry to ${name}.yaml in the rules directory; comments stay`)
    .argument('<value>', 'user@x.org, x.org, or .x.org for the domain and its subdomains')
    .requiredOption('--reason <reason>', 'why it stands here')
    .requiredOption('--owner <owner>', 'who answers for it')
    .option('--expires <date>', '2027-06-30: holds to the end of that day, UTC')
    .action(async (value: string, { reason, owner, expires, ...options }: AddOptions) => {
      const { addToList } = await import('./lists/edit-list.ts');
      const entry = { value, reason, owner, ...(expires !== undefined && { expires }) };
      await addToList(shell, name, entry, options);
    });

  withCommonOptions(list.command('remove'))
    .description(`remove an entry from ${name}.yaml`)
    .argument('<value>', 'as it stands there, in any case')
    .action(async (value: string, options: CommonOptions) => {
      const { removeFromList } = await import('./lists/edit-list.ts');
      await removeFromList(shell, name, value, options);
    });

  withCommonOptions(list.command('list'))
    .description(`list the entries of ${name}.yaml`)
    .action(async (options: CommonOptions) => {
      const { showList } = await import('./lists/edit-list.ts');
      await showList(shell, name, options);
    });
}
