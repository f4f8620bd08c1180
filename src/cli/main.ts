// The process behind `postern`; bin/postern.js imports it. Everything else of the CLI runs in tests too.

import { Console } from 'node:console';
import { messageOf, stackOf } from '../lib/thrown.ts';
import { pluginAtWork } from '../signals/plugin-work.ts';
import { run } from './run.ts';

const { env, stdout, stderr } = process;

// Standard output is what a command answers, which scripts read: what a plugin prints stands beside it.
globalThis.console = new Console(stderr);

/** What a shell shows for a command that SIGPIPE ended (128 + 13), which is how others end here. */
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
  // The service logs its own. Elsewhere Node's 1 would mean that something was found.
  if (process.listenerCount('uncaughtException') > 1) return;
  const words = env.POSTERN_DEBUG === '1' ? stackOf(error) : messageOf(error);
  const provider = pluginAtWork();
  if (provider !== undefined) {
    // A plugin's timer, listener or promise that nothing looks after: its answers are its own matter.
    stderr.write(`postern: provider ${provider} failed outside of its answer: ${words}\n`);
    return;
  }
  stderr.write(`postern: internal error: ${words}\n`);
  process.exit(2);
});

process.on('exit', () => {
  const provider = pluginAtWork();
  if (provider === undefined) return;
  // Whatever code it chose: a command that was cut short must not pass, nor a service look as if it had been told to stop.
  stderr.write(`postern: provider ${provider} has ended the process\n`);
  process.exitCode = process.argv[2] === 'serve' ? 1 : 2;
});

// Until the command has ended it has not run: a promise that never settles must not look like success.
process.exitCode = 2;
process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env, cwd: process.cwd() });

/** Long enough to write out what is left; a look-up whose answer is not needed any more must not hold the process. */
const GRACE_MS = 1_000;
setTimeout(() => process.exit(), GRACE_MS).unref();
