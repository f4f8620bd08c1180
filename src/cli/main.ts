// The process behind `postern`; bin/postern.js imports it. Everything else of the CLI runs in tests too.

import { Console } from 'node:console';
import { messageOf, stackOf } from '../lib/thrown.ts';
import { pluginAtWork } from '../signals/plugin-work.ts';
import { run } from './run.ts';

const { env, stdout, stderr } = process;

// Scripts read a command's answer from standard output, so what a plugin prints goes to standard error.
globalThis.console = new Console(stderr);

/** The exit code that a shell shows for a command that SIGPIPE ended (128 + 13), as it ends most commands. */
const READER_GONE = 141;

for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed its end (`postern … | head`): no fault to report. Not 0 either: a guard that was cut short must
    // not pass.
    if (error.code === 'EPIPE') process.exit(READER_GONE);
    if (stream === stdout) stderr.write(`postern: standard output cannot be written: ${error.message}\n`);
    process.exit(2);
  });
}

process.on('uncaughtException', (error) => {
  // `serve` has a listener of its own, which logs. For other commands, Node's exit code 1 would mean that something was found.
  if (process.listenerCount('uncaughtException') > 1) return;
  const words = env.POSTERN_DEBUG === '1' ? stackOf(error) : messageOf(error);
  const provider = pluginAtWork();
  if (provider !== undefined) {
    // A timer, listener or promise of a plugin failed, not its answer, which is checked on its own: the command goes on.
    stderr.write(`postern: provider ${provider} failed outside of its answer: ${words}\n`);
    return;
  }
  stderr.write(`postern: internal error: ${words}\n`);
  process.exit(2);
});

process.on('exit', () => {
  const provider = pluginAtWork();
  if (provider === undefined) return;
  // Overrides the plugin's exit code: a command that was cut short must not pass, nor a service look as if it had been told to stop.
  stderr.write(`postern: provider ${provider} has ended the process\n`);
  process.exitCode = process.argv[2] === 'serve' ? 1 : 2;
});

// Until the command has ended it has not run: a promise that never settles must not look like success.
process.exitCode = 2;
process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env, cwd: process.cwd() });

/** Time to write out what is left. After it the process exits, even while a look-up is under way that nothing needs any more. */
const GRACE_MS = 1_000;
setTimeout(() => process.exit(), GRACE_MS).unref();
