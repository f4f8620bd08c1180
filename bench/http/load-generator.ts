import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from './kept-connection.ts';
import type { Sent } from './send-when-due.ts';

interface CommonJob {
  /** Connections are spread over them. */
  readonly targets: readonly Target[];
  /** Of the servers, whose CPU time is read. */
  readonly pids: readonly number[];
  readonly connections: number;
  /** Which addresses are asked for: this one of the row and those behind it. */
  readonly firstAddress: number;
}

/** Requests at given times, in ms from the start; those of the warm-up first, which are not measured. */
export interface ArrivalsJob extends CommonJob {
  readonly warmUpDueMs: Float64Array;
  readonly dueMs: Float64Array;
}

/** Requests as fast as they are answered, until so many are or so much time has gone. */
export interface LoopJob extends CommonJob {
  readonly amount: number;
  readonly seconds?: number;
  readonly firms?: number;
}

export type Job = ArrivalsJob | LoopJob;

export interface Measured extends Sent {
  readonly requestsPerSecond: number;
  /** Of the servers' processes for one request, all threads. */
  readonly cpuUs: number;
  /** Of these, the thread that runs the event loop. */
  readonly mainUs: number;
  /** CPU time of the generator over wall time: 1 is one core. */
  readonly clientBusy: number;
}

/** A process of its own, so that what it does waits for nothing that the benchmark does, nor the other way round. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  readonly #gone = once(this.#child, 'exit').then(() => {
    throw new Error('the load generator ended');
  });

  constructor() {
    // Between two jobs its end is no fault.
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
