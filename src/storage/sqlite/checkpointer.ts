import { openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../../lib/paths.ts';
import { PAGE_SIZE } from './open-database.ts';

const WORKER = moduleBeside('./checkpointer.worker', import.meta.url);

/**
 * The write-ahead log before a checkpoint moves it into the database, eight times SQLite's own choice; the file keeps about that size. A page
 * that many commits have touched, as those of the indexes are, is moved once.
 */
const LOG_PAGES = Math.round(64_000_000 / PAGE_SIZE);
/** Whether SQLite tells how long the log is (3.51); before, the pragma would be a checkpoint. */
const CAN_LOOK = Number(process.versions.sqlite?.split('.')[1]) >= 51;
/** SQLite makes a checkpoint by itself, and all commits wait, when there is no thread, when it has fallen or cannot keep up. */
export const LOG_PAGES_AT_MOST = CAN_LOOK ? 4 * LOG_PAGES : LOG_PAGES;
/** A checkpoint takes a tenth of a second; a disk that needs longer than this is not waited for. */
const CHECKPOINT_MS = 2_000;
/** The thread ends that had nothing to do for so long: it takes 10 MB, and to start another 35 ms of CPU time. */
const IDLE_MS = 30_000;

export interface CheckpointingOptions {
  readonly file: string;
  /** Of `file`, to sync it by. */
  readonly descriptor: number;
  readonly busyTimeoutMs: number;
  /** One element: 1 while a checkpoint is under way, to be notified at its end. */
  readonly isCheckpointing: Int32Array<SharedArrayBuffer>;
}

export interface CheckpointerOptions extends Pick<CheckpointingOptions, 'file' | 'busyTimeoutMs'> {
  /** The rest is for tests. */
  readonly logPages?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly worker?: URL | undefined;
}

/**
 * Has checkpoints made, which move the write-ahead log into the database, by a thread of its own. SQLite would do it within a commit,
 * and all requests would wait a twentieth of a second and more, once a second under full load. The log can only begin anew
 * when nothing is left in it: what came during the checkpoint is moved by the writer. Lives in the writing thread; erasable
 * TypeScript.
 */
export class Checkpointer {
  readonly #database: DatabaseSync;
  readonly #options: CheckpointerOptions;
  readonly #look: StatementSync;
  readonly #checkpointRest: StatementSync;
  readonly #isCheckpointing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /**
   * Never closed: whichever descriptor of a file is closed, the process loses all its locks on it (POSIX, fcntl). Those of
   * connections SQLite keeps itself, for as long as another connection of the process holds a lock.
   */
  #descriptor: number | undefined;
  #worker: Worker | undefined;
  readonly #idle: NodeJS.Timeout;
  /** Until the writer has done its part too. */
  #isUnderWay = false;
  /** The writer's part of a checkpoint whose thread is done, or has fallen. */
  #ending: (() => void) | undefined;
  /** In pages, where a reader kept the log from beginning anew: it is tried again when as much has come. */
  #leftAt = 0;

  constructor(database: DatabaseSync, options: CheckpointerOptions) {
    this.#database = database;
    this.#options = options;
    this.#look = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#checkpointRest = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.#idle = setTimeout(() => {
      if (!this.#isUnderWay) this.#dismiss();
    }, options.idleMs ?? IDLE_MS).unref();
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Begins a checkpoint when the log is long enough, and ends one. Does nothing in a transaction, where SQLite would not either. */
  checkpointWhenLong(): void {
    if (this.#database.isTransaction) return;
    this.#finishEnding();
    if (this.#isUnderWay || !CAN_LOOK) return;
    const pages = this.#pages();
    if (pages < this.#leftAt) this.#leftAt = 0;
    if (pages - this.#leftAt < (this.#options.logPages ?? LOG_PAGES)) return;
    this.#isUnderWay = true;
    this.#idle.refresh();
    // Before the thread is there: one that cannot open the database says so by this.
    Atomics.store(this.#isCheckpointing, 0, 1);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage('checkpoint');
    } catch {
      // No thread to be had: the commit that led here has succeeded all the same.
      this.#letGo();
      this.#giveUp();
    }
  }

  /** Blocks until no checkpoint is under way, since SQLite lets only one at a time; false when that takes too long. */
  wait(): boolean {
    if (Atomics.wait(this.#isCheckpointing, 0, 1, CHECKPOINT_MS) !== 'timed-out') return true;
    // Once for each checkpoint.
    this.#letGo();
    return false;
  }

  /** Lets a checkpoint end, and the thread with it. */
  close(): void {
    this.wait();
    clearTimeout(this.#idle);
    this.#dismiss();
  }

  #dismiss(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.postMessage('close');
  }

  #start(): Worker {
    const { file, busyTimeoutMs, worker: url = WORKER } = this.#options;
    this.#descriptor ??= openSync(file, 'r');
    const worker = new Worker(url, {
      name: 'postern-checkpointer',
      workerData: {
        file,
        descriptor: this.#descriptor,
        busyTimeoutMs,
        isCheckpointing: this.#isCheckpointing,
      } satisfies CheckpointingOptions,
      execArgv: [],
    });
    worker.on('message', () => this.#end(worker, this.#finish));
    worker.on('error', () => undefined);
    worker.on('exit', () => this.#end(worker, this.#fall));
    worker.unref();
    return worker;
  }

  /** A thread is done, or has fallen; amid a transaction, the writer's part waits for its end. */
  #end(worker: Worker, ending: () => void): void {
    // The database is closed by now, or another thread's turn has come.
    if (this.#worker !== worker) return;
    this.#letGo();
    this.#ending = ending;
    if (!this.#database.isTransaction) this.#finishEnding();
  }

  #finishEnding(): void {
    const ending = this.#ending;
    this.#ending = undefined;
    ending?.();
  }

  /**
   * Of a log of which something is still to be moved; none where SQLite cannot say so now, for a commit that has succeeded must
   * not fail by it.
   */
  #pages(): number {
    try {
      const { log, checkpointed } = this.#look.get() ?? {};
      return log === checkpointed ? 0 : Number(log);
    } catch {
      return 0;
    }
  }

  readonly #finish = (): void => {
    try {
      const { log, checkpointed } = this.#checkpointRest.get() ?? {};
      this.#leftAt = log === checkpointed ? 0 : Number(log);
    } catch {
      // As in a commit, whose success SQLite does not let depend on it either.
    }
    this.#isUnderWay = false;
  };

  readonly #fall = (): void => {
    this.#worker = undefined;
    this.#giveUp();
  };

  /** Another thread tries when as much has come again. */
  #giveUp(): void {
    this.#leftAt = this.#pages();
    this.#isUnderWay = false;
  }

  /** Whoever waits for the thread need not any more. */
  #letGo(): void {
    Atomics.store(this.#isCheckpointing, 0, 0);
  }
}
