import { join } from 'node:path';
import { addressAt } from '../support/addresses.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { root, workDirectory } from '../support/paths.ts';
import { authorityOf, startPostern } from '../support/postern.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { KeptConnection, type Target } from './kept-connection.ts';
import { LoadGenerator } from './load-generator.ts';

export const POSTERN = 'Postern, everything on';
export const BARE_KOA = 'bare Koa echo';

/** Requests before the measuring. The same number for fast and slow servers, as V8's compiler counts calls, not seconds. */
const WARM_UP_REQUESTS = 15_000;

export interface Contestant {
  readonly name: string;
  readonly targets: readonly Target[];
  readonly pids: readonly number[];
}

/** Postern and bare Koa, newly started and warm, under one certificate, with a load generator; closed together. */
export interface TestBed {
  readonly contestants: readonly Contestant[];
  readonly generator: LoadGenerator;
  close(): Promise<void>;
}

export async function openTestBed(): Promise<TestBed> {
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (const closing of closings.reverse()) await closing();
  };
  try {
    const directory = workDirectory('http');
    const dns = await startLoopbackDns();
    closings.push(() => dns.close());
    const dataDir = join(directory, 'postern');
    const postern = await startPostern({ dataDir, dns: dns.address });
    closings.push(() => postern.stop());
    const target = { port: postern.port, ca: authorityOf(postern), key: postern.key };
    const bareKoa = await startBareKoa(directory, dataDir, await answerLength(target));
    closings.push(() => bareKoa.stop());
    const generator = new LoadGenerator();
    closings.push(() => generator.stop());
    const contestants = [
      { name: POSTERN, targets: [target], pids: [postern.pid] },
      { name: BARE_KOA, targets: [{ ...target, port: bareKoa.port }], pids: [bareKoa.pid] },
    ];
    await warmUp(contestants, generator);
    return { contestants, generator, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function warmUp(contestants: readonly Contestant[], generator: LoadGenerator): Promise<void> {
  for (const contestant of contestants) {
    await generator.run({ ...contestant, connections: 8, firstAddress: 0, amount: WARM_UP_REQUESTS });
  }
}

/** Koa alone, with Postern's certificate and with answers as long as Postern's. */
function startBareKoa(directory: string, dataDir: string, answerLength: number): Promise<ServerProcess> {
  const tls = ['cert.pem', 'key.pem'].map((name) => join(dataDir, 'tls', name));
  return startServer({
    args: [join(root, 'bench/http/bare-koa.ts'), ...tls, String(answerLength)],
    logFile: join(directory, 'bare-koa.log'),
  });
}

/** Length of the body of Postern's answer, in octets. */
async function answerLength(target: Target): Promise<number> {
  const connection = await KeptConnection.open(target);
  const body = await connection.check(addressAt(1));
  connection.close();
  return body.length;
}
