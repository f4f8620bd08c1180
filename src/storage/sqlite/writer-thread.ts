import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../../lib/paths.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Arguments, Call, Method, Reply, Result } from './writer-calls.ts';
import type { WritingOptions } from './writing-connection.ts';

const WORKER = moduleBeside('./writer.worker', import.meta.url);

/** A worker that fell is started again after this, then after twice as long each time it falls before it is ready. */
const RESTART_MS = { first: 100, longest: 5_000 } as const;

export interface WriterThreadOptions extends WritingOptions {
  readonly log?: Logger | undefined;
  /** Another worker, for tests of one that falls. */
  readonly worker?: URL | undefined;
}

interface Outstanding {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Launched {
  readonly worker: Worker;
  /** Rejects when the worker falls before it has opened the database. */
  readonly ready: Promise<void>;
}

/**
 * The main thread's end of the writing worker. A call settles only on the worker's own word: when the
 * worker falls, every call under way rejects, and calls reject at once until another is up.
 */
export class WriterThread {
  readonly #options: WriterThreadOptions;
  readonly #outstanding = new Map<number, Outstanding>();
  #launched: Launched;
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosing = false;
  #restartMs: number = RESTART_MS.first;
  #restartTimer: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;

  /** Launches the worker, which takes a tenth of a second to load and touches nothing before `open`. */
  constructor(options: WriterThreadOptions) {
    this.#options = options;
    this.#launched = this.#launch();
  }

  /** Rejects when the worker cannot open the database. */
  open(): Promise<void> {
    const { worker, ready } = this.#launched;
    const { file, busyTimeoutMs, maxPages, logPages } = this.#options;
    worker.postMessage({ file, busyTimeoutMs, maxPages, logPages } satisfies WritingOptions);
    return ready;
  }

  get isUp(): boolean {
    return this.#worker !== undefined;
  }

  call<M extends Method>(method: M, ...args: Arguments<M>): Promise<Result<M>> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(new Error('the writing thread is down'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      // The worker answers with what the method returned, and methods return plain data.
      this.#outstanding.set(id, { resolve: (value) => resolve(value as Result<M>), reject });
      worker.postMessage({ id, method, args } satisfies Call<M>);
    });
  }

  /** As `call`, for what has no answer: what comes of it is told by a call that follows. */
  send<M extends Method>(method: M, ...args: Arguments<M>): void {
    this.#worker?.postMessage({ id: undefined, method, args } satisfies Call<M>);
  }

  /** Lets the calls under way finish, empties the log, closes the database if it was opened, and ends the worker. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restartTimer);
    await this.#restarting;
    const worker = this.#worker;
    if (!worker) {
      await this.#launched.worker.terminate();
      return;
    }
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    await this.call('close').catch((err) => this.#options.log?.error({ err }, 'database not closed cleanly'));
    await gone;
  }

  #launch(): Launched {
    const worker = new Worker(this.#options.worker ?? WORKER, {
      name: 'postern-writer',
      // Flags of the parent, such as a test runner's loader, are not for a worker that imports a few files.
      execArgv: [],
      // It opens the database's file by itself too, and to close that would lose SQLite's locks: checkpointer.ts.
      trackUnmanagedFds: false,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let fault: Error | undefined;
    worker.on('message', (message: 'ready' | Reply) => {
      if (message !== 'ready') return this.#settle(message);
      this.#worker = worker;
      this.#restartMs = RESTART_MS.first;
      resolve();
    });
    worker.on('error', (error: Error) => {
      fault = error;
    });
    worker.on('exit', (code) => {
      const error = fault ?? new Error(`the writing thread ended with code ${code}`);
      reject(error);
      if (this.#worker === worker) this.#fall(error);
    });
    // Told to whoever opens, which may be later, or nobody.
    promise.catch(() => {});
    return { worker, ready: promise };
  }

  #settle(reply: Reply): void {
    const waiting = this.#outstanding.get(reply.id);
    this.#outstanding.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(Object.assign(new Error(reply.error.message), { errcode: reply.error.errcode }));
  }

  #fall(error: Error): void {
    this.#worker = undefined;
    const lost = [...this.#outstanding.values()];
    this.#outstanding.clear();
    for (const { reject } of lost) reject(error);
    if (this.#isClosing) return;
    this.#options.log?.error({ err: error, calls: lost.length }, 'the writing thread fell: restarting it');
    this.#restartLater();
  }

  #restartLater(): void {
    const delayMs = this.#restartMs;
    this.#restartMs = Math.min(delayMs * 2, RESTART_MS.longest);
    this.#restartTimer = setTimeout(() => {
      this.#restarting = this.#restart();
    }, delayMs).unref();
  }

  async #restart(): Promise<void> {
    try {
      this.#launched = this.#launch();
      await this.open();
      this.#options.log?.info({}, 'the writing thread is up again');
    } catch (err) {
      this.#options.log?.error({ err }, 'the writing thread does not start');
      if (!this.#isClosing) this.#restartLater();
    }
  }
}
