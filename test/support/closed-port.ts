import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports of Linux (32768 and up), macOS and Windows (49152 and up). */
const [LOWEST, END] = [10_000, 32_000];
/** More than one test file uses. */
const OWN_PORTS = 64;

/** Each process has its own range of ports: another process cannot see that a port is in use before, or between, its program's starts. */
const first = LOWEST + (process.pid % Math.floor((END - LOWEST) / OWN_PORTS)) * OWN_PORTS;
let taken = 0;

/**
 * A port on which nothing listens. The system does not give it out as an ephemeral port, and this function tries 63 others before
 * it returns the port again: it stays free until a program takes it, and while that program is restarted.
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
