import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from './kept-connection.ts';
import type { Sent } from './send-when-due.ts';

interface CommonJob {
  /** Servers over which the connections are spread. */
  readonly targets: readonly Target[];
  /** Process ids of the servers, to read their CPU time. */
  readonly pids: readonly number[];
  readonly connections: number;
  /** Index of the first address (`addressAt`); each request takes the next one. */
  readonly firstAddress: number;
}

/** Requests at given times, in ms from the start; the warm-up comes first and is not measured. */
export interface ArrivalsJob extends CommonJob {
  readonly warmUpDueMs: Float64Array;
  readonly dueMs: Float64Array;
}

/** Requests as fast as they are answered, until `amount` requests or `seconds` have passed. */
export interface LoopJob extends CommonJob {
  readonly amount: number;
  readonly seconds?: number;
  readonly firms?: number;
}

export type Job = ArrivalsJob | LoopJob;

export interface Measured extends Sent {
  readonly requestsPerSecond: number;
  /** CPU time of the servers for one request, all threads, in µs. */
  readonly cpuUs: number;
  /** The part of `cpuUs` on the threads that run the event loop. */
  readonly mainUs: number;
  /** CPU time of the generator over wall time: 1 is one core. */
  readonly clientBusy: number;
}

/** A separate process, so that the generator and the benchmark never block each other. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  readonly #gone = once(this.#child, 'exit').then(() => {
    throw new Error('the load generator ended');
  });

  constructor() {
    // Without a job, the process's end is not an error.
    this.#gone.catch(() => undefined);
  }

  /** One job at a time. Rejects when any answer is not 200. */
  async run(job: Job): Promise<Measured> {
    this.#child.send(job);
    const [reply] = await Promise.race([once(this.#child, 'message'), this.#gone]);
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  }

  stop(): void {
    this.#child.kill();
  }
}
