import { type Command, InvalidArgumentError } from 'commander';
import { type CommonOptions, withCommonOptions } from './options.ts';
import type { RollbackOptions } from './rule-versions/roll-back.ts';
import type { HistoryOptions, ShowOptions } from './rule-versions/show-versions.ts';
import type { Shell } from './shell.ts';

const WHICH = 'its number, or its hash (Postern-Ruleset) or the beginning of it: the last version with it';

export function addRuleVersionCommands(rules: Command, shell: Shell): void {
  withCommonOptions(rules.command('status'))
    .description('say what is in force, since when and by whom, and what lies in the rules directory')
    .addHelpText('after', '\nEnds with 1 when what lies there would be refused, or was.')
    .action(async (options: CommonOptions) => {
      const { showStatus } = await import('./rule-versions/status.ts');
      await showStatus(shell, options);
    });

  withCommonOptions(rules.command('history'))
    .description('list the rule sets that were in force, the newest first, and what each changed')
    .option('--limit <n>', 'so many; 20 unless given', parseLimit, 20)
    .action(async (options: HistoryOptions) => {
      const { showHistory } = await import('./rule-versions/show-versions.ts');
      await showHistory(shell, options);
    });

  withCommonOptions(rules.command('show'))
    .description('show one version: its files, and what it changed')
    .argument('<version>', WHICH)
    .option('--file <file>', 'print this file as it was: domain.yaml, tests/domain.yaml')
    .option('--diff', 'print what it changed, as a patch')
    .addHelpText('after', '\nEnds with 1 when there is no such version, or no such file in it.')
    .action(async (version: string, options: ShowOptions) => {
      const { showVersion } = await import('./rule-versions/show-versions.ts');
      await showVersion(shell, version, options);
    });

  withCommonOptions(rules.command('rollback'))
    .description('write the files of an earlier version back into the rules directory')
    .argument('<version>', WHICH)
    .option('--author <name>', 'who does it, for the history; the user of this shell unless given')
    .option('--keep-lists', 'leave allow.yaml and deny.yaml as they are')
    .addHelpText(
      'after',
      '\nWhat lies there and was never in force is kept as a draft. Ends with 1 when there is no such version, or the\n' +
        'service would refuse it now; nothing is written then.',
    )
    .action(async (version: string, options: RollbackOptions) => {
      const { rollBack } = await import('./rule-versions/roll-back.ts');
      await rollBack(shell, version, options);
    });
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
  return Number(text);
}
