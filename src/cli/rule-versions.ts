import type { Command } from 'commander';
import { withStorage } from './open-session.ts';
import { addCommand, type CommonOptions, numberFrom } from './options.ts';
import {
  type HistoryOptions,
  type ShowOptions,
  showHistory,
  showVersion,
} from './rule-versions/show-versions.ts';
import { type RollbackOptions, rollBack, showStatus } from './rule-versions/status-and-rollback.ts';
import type { Shell } from './shell.ts';

const WHICH = 'its number, or its hash (Postern-Ruleset) or the beginning of it: the last version with it';

export function addRuleVersionCommands(rules: Command, shell: Shell): void {
  addCommand(
    rules,
    'status',
    'say what is in force, since when and by whom, and what lies in the rules directory',
  )
    .addHelpText('after', '\nEnds with 1 when what lies there would be refused, or was.')
    .action((options: CommonOptions) =>
      withStorage(shell, options, (session) => showStatus(shell, session, options)),
    );

  addCommand(
    rules,
    'history',
    'list the rule sets that were in force, the newest first, and what each changed',
  )
    .option('--limit <n>', 'so many; 20 unless given', numberFrom(1, 9_999_999), 20)
    .action((options: HistoryOptions) =>
      withStorage(shell, options, (session) => showHistory(shell, session, options)),
    );

  addCommand(rules, 'show', 'show one version: its files, and what it changed')
    .argument('<version>', WHICH)
    .option('--file <file>', 'print this file as it was: domain.yaml, tests/domain.yaml')
    .option('--diff', 'print what it changed, as a patch')
    .addHelpText('after', '\nEnds with 1 when there is no such version, or no such file in it.')
    .action((version: string, options: ShowOptions) =>
      withStorage(shell, options, (session) => showVersion(shell, session, version, options)),
    );

  addCommand(rules, 'rollback', 'write the files of an earlier version back into the rules directory')
    .argument('<version>', WHICH)
    .option('--author <name>', 'who does it, for the history; the user of this shell unless given')
    .option('--keep-lists', 'leave allow.yaml and deny.yaml as they are')
    .addHelpText(
      'after',
      '\nWhat lies there and was never in force is kept as a draft. Ends with 1 when there is no such version, or the\n' +
        'service would refuse it now; nothing is written then.',
    )
    .action((version: string, options: RollbackOptions) =>
      withStorage(shell, options, (session) => rollBack(shell, session, version, options)),
    );
}
