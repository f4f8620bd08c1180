import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux (32768 and up), macOS and Windows (49152 and up) give to who asks for any port. */
const [LOWEST, END] = [10_000, 32_000];
/** More than a file of tests takes. */
const OWN_PORTS = 64;

/** Processes that run at the same time take ports from ranges of their own: where nothing listens yet, or for a while, none can tell that it is taken. */
const first = LOWEST + (process.pid % Math.floor((END - LOWEST) / OWN_PORTS)) * OWN_PORTS;
let taken = 0;

/**
 * A port on which nothing listens, and that the system gives to no server and no connection which asks for any, nor this function
 * soon again: it stays free until a program is told to take it, and while that program is restarted.
 */
export async function aClosedPort(): Promise<number> {
  for (;;) {
    const port = first + (taken++ % OWN_PORTS);
    const server = createServer();
    const isFree = once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!(await isFree)) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
