// The process behind `postern`; bin/postern.js imports it. Everything else of the CLI runs in tests too.
import { run } from './run.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read has gone (`postern … | head`): no mistake, and there is nobody to tell.
    process.exit(error.code === 'EPIPE' ? process.exitCode : 2);
  });
}

const { env, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env, cwd: process.cwd() });

/** Long enough to write out what is left; a look-up that nobody waits for any more must not hold the process. */
const GRACE_MS = 1_000;
setTimeout(() => process.exit(), GRACE_MS).unref();
