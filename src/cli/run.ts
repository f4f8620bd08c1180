import { CommanderError } from 'commander';
import { AppError, RowFileFault, StartupError } from '../errors.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { createProgram } from './program.ts';
import { CannotRun, NotThere, Shell, type Surroundings } from './shell.ts';

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

/** Says why the command ended early, and returns its exit code. */
function explain(error: unknown, shell: Shell): number {
  if (error instanceof CommanderError) {
    // commander has printed it; asking for help or the version is no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof NotThere) {
    shell.note(error.message);
    return 1;
  }
  if (error instanceof StartupError) {
    for (const fault of error.faults) shell.note(fault);
  } else if (error instanceof CannotRun || error instanceof RowFileFault) {
    shell.note(`postern: ${error.message}`);
  } else if (error instanceof AppError && error.code !== 'unavailable') {
    shell.note(`postern: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`);
  } else if (shell.env.POSTERN_DEBUG === '1' && error instanceof Error) {
    shell.note(`postern: internal error: ${error.stack ?? error.message}`);
  } else if (error instanceof AppError || codeOf(error) === 'ERR_SQLITE_ERROR') {
    const cause = error instanceof AppError ? error.cause : error;
    shell.note(
      `postern: what is stored cannot be used: ${messageOf(cause)}; "postern doctor" looks for the reason`,
    );
  } else {
    const message = messageOf(error);
    shell.note(`postern: internal error: ${message.split('\n', 1)[0]} (POSTERN_DEBUG=1 shows where)`);
  }
  return 2;
}
