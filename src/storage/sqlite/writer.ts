import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Mutex } from '../../lib/concurrency.ts';
import { moduleBeside } from '../../lib/paths.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Refusal, unavailable } from '../commit-queue.ts';
import type { CheckRow } from '../ports.ts';
import { isRowFault } from './database.ts';
import type {
  Call,
  Method,
  Reply,
  WritingConnection,
  WritingOptions,
  Written,
} from './writing-connection.ts';

const WORKER = moduleBeside('./writer.worker', import.meta.url);

/** A thread that crashed is started again after this time. */
const RESTART_MS = 250;

export interface WriterOptions extends WritingOptions {
  readonly log?: Logger | undefined;
  /** Another worker, for tests of one that crashes. */
  readonly worker?: URL | undefined;
}

/** Statements of one transaction; nothing else is written until it has ended. */
export interface WriteTransaction {
  run(sql: string, parameters: readonly SQLInputValue[]): Promise<Written>;
  commit(): Promise<void>;
  /** Never rejects: SQLite itself rolls back a transaction whose thread crashed. */
  rollback(): Promise<void>;
}

/**
 * The main thread's handle of the writing connection, which lives on a worker thread so that the event loop never waits for the disk. A call
 * settles only when the worker answers. When the worker crashes, all calls under way reject, and new calls reject at once until another
 * worker is up. Calls reject with AppError `unavailable`, or with SQLite's own error where a row is itself at fault.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #mutex = new Mutex();
  /** Calls under way, in the order in which the worker answers them. */
  #outstanding: PromiseWithResolvers<unknown>[] = [];
  #worker: Worker | undefined;
  #isClosing = false;
  #restart: NodeJS.Timeout | undefined;
  #restarting: Promise<void> | undefined;

  private constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Rejects when the database cannot be opened. */
  static async open(options: WriterOptions): Promise<Writer> {
    const writer = new Writer(options);
    await writer.#launch();
    return writer;
  }

  get isUp(): boolean {
    return this.#worker !== undefined;
  }

  /** See `WritingConnection.commitChecks`. */
  commitChecks(rows: readonly CheckRow[]): Promise<readonly Refusal[]> {
    return this.#mutex.run(() => this.#ask(this.#worker, 'commitChecks', rows));
  }

  /** Commits a statement. */
  run(sql: string, parameters: readonly SQLInputValue[]): Promise<Written> {
    return this.#mutex.run(() => this.#ask(this.#worker, 'run', sql, parameters));
  }

  /** See `WritingConnection.emptyLog`. */
  emptyLog(): Promise<boolean> {
    return this.#mutex.run(() => this.#ask(this.#worker, 'emptyLog'));
  }

  begin(): Promise<WriteTransaction> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    return new Promise((resolve, reject) => {
      const held = this.#mutex.run(async () => {
        // All statements go to this one worker: a worker started later would not be in the transaction and commit each alone.
        const worker = this.#worker;
        await this.#ask(worker, 'run', 'BEGIN IMMEDIATE', []);
        resolve({
          run: (sql, parameters) => this.#ask(worker, 'run', sql, parameters),
          commit: async () => {
            await this.#ask(worker, 'run', 'COMMIT', []);
            end();
          },
          rollback: async () => {
            // Fails where a full disk or the end of the worker has rolled back already.
            await this.#ask(worker, 'run', 'ROLLBACK', []).catch(() => undefined);
            end();
          },
        });
        await ended;
      });
      held.catch(reject);
    });
  }

  /** Waits for calls under way. Then the worker empties the log, unless another process reads, and ends. */
  close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    return this.#mutex.run(async () => {
      await this.#restarting;
      const worker = this.#worker;
      if (!worker) return;
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      await this.#ask(worker, 'close').catch((err) =>
        this.#options.log?.error({ err }, 'database not closed cleanly'),
      );
      await gone;
    });
  }

  async #ask<M extends Method>(
    worker: Worker | undefined,
    method: M,
    ...args: Call<M>['args']
  ): Promise<ReturnType<WritingConnection[M]>> {
    if (!worker || worker !== this.#worker) throw unavailable('the writing thread is down');
    const call = Promise.withResolvers<unknown>();
    try {
      worker.postMessage({ method, args } satisfies Call<M>);
      this.#outstanding.push(call);
      // The worker answers with what the method returned, and methods return plain data.
      return (await call.promise) as ReturnType<WritingConnection[M]>;
    } catch (error) {
      throw isRowFault(error) ? error : unavailable(error);
    }
  }

  /** Rejects when the thread ends before it has opened the database. */
  async #launch(): Promise<void> {
    const { file, busyTimeoutMs, maxPages, worker: url = WORKER } = this.#options;
    const worker = startThread(url, { file, busyTimeoutMs, maxPages });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let fault: Error | undefined;
    worker.on('message', (message: 'ready' | Reply) => {
      if (message !== 'ready') return this.#settle(message);
      this.#worker = worker;
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
    await promise;
  }

  #settle(reply: Reply): void {
    const call = this.#outstanding.shift();
    if ('value' in reply) call?.resolve(reply.value);
    else call?.reject(Object.assign(new Error(reply.message), { errcode: reply.errcode }));
  }

  #fall(error: Error): void {
    this.#worker = undefined;
    const lost = this.#outstanding;
    this.#outstanding = [];
    for (const { reject } of lost) reject(error);
    if (this.#isClosing) return;
    this.#options.log?.error({ err: error, calls: lost.length }, 'the writing thread fell: restarting it');
    this.#restartLater();
  }

  #restartLater(): void {
    this.#restart = setTimeout(() => {
      this.#restarting = this.#launch().then(
        () => this.#options.log?.info({}, 'the writing thread is up again'),
        (err) => {
          this.#options.log?.error({ err }, 'the writing thread does not start');
          if (!this.#isClosing) this.#restartLater();
        },
      );
    }, RESTART_MS).unref();
  }
}

function startThread(url: URL, workerData: WritingOptions): Worker {
  return new Worker(url, {
    name: 'postern-writer',
    workerData,
    // No flags of the parent, such as a test runner's loader: this worker imports a few plain files.
    execArgv: [],
    // Rows are garbage as soon as they are on the disk: without this limit the garbage would take 15 MB more.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
}
