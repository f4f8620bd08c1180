import { Command } from 'commander';
import { readVersion } from '../app/version.ts';
import { addAccountCommands } from './accounts.ts';
import { addCheckCommand } from './check.ts';
import { addCheckRecordCommands } from './checks.ts';
import { addConfigCommands } from './config.ts';
import { addKeyCommands } from './keys.ts';
import { addLabelCommands } from './labels.ts';
import { addListCommands } from './lists.ts';
import { addPeopleCommands } from './people.ts';
import { addProviderCommands } from './providers.ts';
import { addRuleCommands } from './rules.ts';
import { addServeCommand } from './serve.ts';
import type { Shell } from './shell.ts';

/** Every command. Nothing heavy is loaded before a command's action runs, so that `--help` is fast. */
export function createProgram(shell: Shell): Command {
  // Settings come first: a subcommand copies them when it is made.
  const program = new Command('postern')
    .description('Self-hosted signup risk scoring for email addresses.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.writeRaw('stdout', text),
      writeErr: (text) => shell.writeRaw('stderr', text),
      getOutHasColors: () => shell.hasColours,
    })
    .configureHelp({ styleTitle: (title) => shell.paint('bold', title), showGlobalOptions: false })
    .showHelpAfterError('(--help shows how)');

  addServeCommand(program, shell);
  addCheckCommand(program, shell);
  addCheckRecordCommands(program, shell);
  addAccountCommands(program, shell);
  addKeyCommands(program, shell);
  addPeopleCommands(program, shell);
  addRuleCommands(program, shell);
  addLabelCommands(program, shell);
  addListCommands(program, shell);
  addProviderCommands(program, shell);
  addConfigCommands(program, shell);
  return program;
}
