import { Command, CommanderError } from 'commander';
import { AppError, StartupError } from '../errors.ts';
import { readVersion } from '../lib/paths.ts';
import { RowFileFault } from '../lib/row-file.ts';
import { messageOf } from '../lib/thrown.ts';
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
import { CannotRun, Shell, type Surroundings } from './shell.ts';

/** Runs one command line, without `node` and the script. Resolves with the exit code and never rejects. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const shell = new Shell(surroundings);
  try {
    await createProgram(shell).parseAsync(argv, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return explain(error, shell);
  }
}

/** Says why nothing was done, and returns the exit code of what cannot run. */
function explain(error: unknown, shell: Shell): number {
  if (error instanceof CommanderError) {
    // commander has said it already; asking for help or the version is no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof StartupError) {
    for (const fault of error.faults) shell.note(fault);
  } else if (error instanceof CannotRun || error instanceof RowFileFault) {
    shell.note(`postern: ${error.message}`);
  } else if (error instanceof AppError) {
    shell.note(`postern: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`);
  } else if (shell.env.POSTERN_DEBUG === '1' && error instanceof Error) {
    shell.note(`postern: internal error: ${error.stack ?? error.message}`);
  } else {
    const message = messageOf(error);
    shell.note(`postern: internal error: ${message.split('\n', 1)[0]} (POSTERN_DEBUG=1 shows where)`);
  }
  return 2;
}

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
