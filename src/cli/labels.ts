import { type Command, Option } from 'commander';
import { FORMATS } from '../lib/row-file.ts';
import type { ListOptions, RemoveOptions } from './labels/edit-labels.ts';
import type { ImportOptions } from './labels/import-labels.ts';
import { addGroup, listOf, parseLimit, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addLabelCommands(program: Command, shell: Shell): void {
  const labels = addGroup(program, 'labels', 'what became of signups: good or bad');

  withCommonOptions(labels.command('import'))
    .description('take the labels of checks or of people from a file')
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
    .action(async (file: string, options: ImportOptions) => {
      const { importLabels } = await import('./labels/import-labels.ts');
      await importLabels(shell, file, options);
    });

  withCommonOptions(labels.command('list'))
    .description('show the labels that were told last, and how many checks are labelled')
    .option('--account <account>', 'of this account only: an id or a name')
    .option('--limit <n>', 'so many labels', parseLimit, 50)
    .action(async (options: ListOptions) => {
      const { listLabels } = await import('./labels/edit-labels.ts');
      await listLabels(shell, options);
    });

  withCommonOptions(labels.command('remove'))
    .description('take back the label of a check, or of a person')
    .argument('<what>', 'chk_…, or the address in any of its forms')
    .option('--account <account>', 'whose it is: an id or a name; the only one when absent')
    .action(async (what: string, options: RemoveOptions) => {
      const { removeLabel } = await import('./labels/edit-labels.ts');
      await removeLabel(shell, what, options);
    });
}
