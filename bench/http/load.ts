import autocannon from 'autocannon';
import { addressAt } from '../support/addresses.ts';
import { quantile } from '../support/median.ts';
import { cpuTime } from '../support/process-cost.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** Keep-alive connections, each with one request under way, where nothing else is said. */
export const CONNECTIONS = 32;
/** Different addresses, asked for in turn by each connection. */
export const ADDRESSES = 400;

/** One stretch of load on one server. */
export interface Stretch {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server's process for one request, all threads. */
  readonly cpuUs: number;
  /** Of these, the thread that runs the event loop. */
  readonly mainUs: number;
  /** CPU time of the client over wall time: 1 is one core. */
  readonly clientBusy: number;
}

export interface Load {
  readonly server: ServerProcess;
  readonly key: string;
  readonly seconds: number;
  readonly connections?: number | undefined;
}

/** Rejects when any answer is not 200: a refusal is cheaper than a check. */
export async function load({ server, key, seconds, connections = CONNECTIONS }: Load): Promise<Stretch> {
  const latencies: number[] = [];
  const before = { server: cpuTime(server.pid), client: process.cpuUsage() };
  const started = performance.now();
  const options = { ...target(server.port, key), connections, duration: seconds, requests: requests() };
  await send(options, (ms) => latencies.push(ms));
  const wallUs = (performance.now() - started) * 1000;
  const after = cpuTime(server.pid);
  const client = process.cpuUsage(before.client);
  return {
    requestsPerSecond: (latencies.length / wallUs) * 1e6,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuUs: (after.allUs - before.server.allUs) / latencies.length,
    mainUs: (after.mainUs - before.server.mainUs) / latencies.length,
    clientBusy: (client.user + client.system) / wallUs,
  };
}

export interface ManyChecks {
  readonly server: ServerProcess;
  readonly key: string;
  readonly amount: number;
  readonly addressOf: (n: number) => string;
}

/** So many checks, each of another address. */
export async function checkMany({ server, key, amount, addressOf }: ManyChecks): Promise<void> {
  let next = 0;
  const setupRequest = (request: autocannon.Request) => ({ ...request, body: bodyOf(addressOf(next++)) });
  await send({ ...target(server.port, key), amount, requests: [{ setupRequest }] });
}

/** Unmeasured, so that the compiler has seen the code and the caches the domains. */
export async function warmUp({ server, key }: Pick<Load, 'server' | 'key'>, amount: number): Promise<void> {
  await send({ ...target(server.port, key), amount, requests: requests() });
}

function target(port: number, key: string): autocannon.Options {
  return {
    url: `https://127.0.0.1:${port}/v1/`,
    servername: 'localhost',
    connections: CONNECTIONS,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  };
}

function requests(): autocannon.Request[] {
  return Array.from({ length: ADDRESSES }, (_, n) => ({ body: bodyOf(addressAt(n)) }));
}

function bodyOf(email: string): string {
  return JSON.stringify({ email });
}

/** autocannon's own histogram knows whole milliseconds only; `onResponse` is told each latency. */
async function send(options: autocannon.Options, onResponse: (ms: number) => void = () => {}): Promise<void> {
  const { errors, non2xx } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on('response', (_client, _status, _bytes, ms) => onResponse(ms));
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} requests failed and ${non2xx} were refused`);
}
