// The load generator's process: runs one job after the other for the process that started it.
import { Worker } from 'node:worker_threads';
import { addressAt } from '../support/addresses.ts';
import { cpuTime } from '../support/process-cost.ts';
import { KeptConnection } from './kept-connection.ts';
import type { ArrivalsJob, Job, LoopJob, Measured } from './load-generator.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { type Connection, type Sent, sendWhenDue } from './send-when-due.ts';

process.on('disconnect', () => process.exit());
process.on('message', async (job: Job) => {
  const reply = await run(job).catch((error: unknown) => ({ error: String(error) }));
  process.send?.(reply);
});

async function run(job: Job): Promise<Measured> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, (_, n) => {
      const target = job.targets[n % job.targets.length];
      if (!target) throw new Error('nothing to connect to');
      return KeptConnection.open(target);
    }),
  );
  try {
    if ('dueMs' in job) {
      await arrivals(job.warmUpDueMs, job, connections);
      return await measured(job, () => arrivals(job.dueMs, job, connections));
    }
    return await measured(job, () => loop(job, connections));
  } finally {
    for (const connection of connections) connection.close();
  }
}

function arrivals(
  fromNow: Float64Array,
  job: ArrivalsJob,
  connections: readonly KeptConnection[],
): Promise<Sent> {
  // The pacer thread starts within 100 ms.
  const start = monotonicMs() + 100;
  const dueMs = fromNow.map((due) => start + due);
  // The measured arrivals use other addresses than the warm-up.
  const first = job.firstAddress + (fromNow === job.dueMs ? job.warmUpDueMs.length : 0);
  return sendWhenDue({
    dueMs,
    connections: connections.map((connection) => asking(connection, (n) => addressAt(first + n))),
    now: monotonicMs,
    pace(onDue) {
      const thread = new Worker(new URL('pacer-thread.ts', import.meta.url), { workerData: dueMs });
      thread.on('message', onDue);
      thread.on('error', (error) => {
        throw error;
      });
    },
  });
}

function asking(connection: KeptConnection, addressOf: (n: number) => string): Connection {
  return {
    async ask(n) {
      await connection.check(addressOf(n));
    },
  };
}

/** Each connection sends its next request as soon as the last is answered. */
async function loop(job: LoopJob, connections: readonly KeptConnection[]): Promise<Sent> {
  const latencyMs: number[] = [];
  const end = job.seconds === undefined ? Number.POSITIVE_INFINITY : monotonicMs() + job.seconds * 1000;
  let next = 0;
  const askOn = async (connection: KeptConnection) => {
    for (let sent = monotonicMs(); next < job.amount && sent < end; sent = monotonicMs()) {
      await connection.check(addressAt(job.firstAddress + next++, job.firms));
      latencyMs.push(monotonicMs() - sent);
    }
  };
  await Promise.all(connections.map(askOn));
  return { latencyMs: Float64Array.from(latencyMs), lateMs: new Float64Array() };
}

async function measured({ pids }: Job, send: () => Promise<Sent>): Promise<Measured> {
  const before = { server: cpuTime(pids), client: process.cpuUsage(), at: monotonicMs() };
  const sent = await send();
  const wallMs = monotonicMs() - before.at;
  const after = cpuTime(pids);
  const client = process.cpuUsage(before.client);
  const count = sent.latencyMs.length;
  return {
    ...sent,
    requestsPerSecond: (count / wallMs) * 1000,
    cpuUs: (after.allUs - before.server.allUs) / count,
    mainUs: (after.mainUs - before.server.mainUs) / count,
    clientBusy: (client.user + client.system) / 1000 / wallMs,
  };
}
