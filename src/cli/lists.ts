import type { Command } from 'commander';
import type { OwnList } from '../lists/own/list-file.ts';
import { describeLists, printLists } from './lists/describe-lists.ts';
import { addToList, removeFromList, showList } from './lists/own-list.ts';
import { rollBack, type UpdateOptions, updateLists } from './lists/update-lists.ts';
import { addCommand, addGroup, type CommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addCommands(lists: Command, shell: Shell): void {
  addCommand(
    lists,
    'status',
    'show each list in use: its version, its size, its age; of those of lists.urls, how the last update went',
  ).action(async (options: CommonOptions) => {
    const status = await describeLists(shell, options);
    shell.answer(options, status, () => printLists(shell, status));
  });

  addCommand(
    lists,
    'update',
    'download the lists of lists.urls now; what is not as it should be changes nothing',
  )
    .argument('[lists...]', 'their names or addresses; all unless named')
    .option('--accept', 'take what was refused for its change, or for what it names: you have looked at it')
    .action((names: readonly string[], options: UpdateOptions) => updateLists(shell, names, options));

  addCommand(lists, 'rollback', 'put the snapshot of a downloaded list back that was in force before')
    .argument('[list]', 'its name or address; may be left out where there is one only')
    .action((name: string | undefined, options: CommonOptions) => rollBack(shell, name, options));
  addList(lists, shell, 'allow', 'what is never blocked by the rules');
  addList(lists, shell, 'deny', 'what is always blocked, unless it is allowed at the same rank');
}

interface AddOptions extends CommonOptions {
  readonly reason: string;
  readonly owner: string;
  readonly expires?: string;
}

function addList(lists: Command, shell: Shell, name: OwnList, description: string): void {
  const list = addGroup(lists, name, description);

  addCommand(list, 'add', `add an entry to ${name}.yaml in the rules directory; comments stay`)
    .argument('<value>', 'user@x.org, x.org, or .x.org for the domain and its subdomains')
    .requiredOption('--reason <reason>', 'why it stands here')
    .requiredOption('--owner <owner>', 'who answers for it')
    .option('--expires <date>', '2027-06-30: holds to the end of that day, UTC')
    .action(async (value: string, { reason, owner, expires, ...options }: AddOptions) => {
      const entry = { value, reason, owner, ...(expires !== undefined && { expires }) };
      await addToList(shell, name, entry, options);
    });

  addCommand(list, 'remove', `remove an entry from ${name}.yaml`)
    .argument('<value>', 'as it stands there, in any case')
    .action((value: string, options: CommonOptions) => removeFromList(shell, name, value, options));

  addCommand(list, 'list', `list the entries of ${name}.yaml`).action((options: CommonOptions) =>
    showList(shell, name, options),
  );
}
