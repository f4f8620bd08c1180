import { AppError, reasonOf } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';

/** A row of a batch that was left out because the row itself is at fault. */
export interface Refusal {
  readonly index: number;
  readonly reason: string;
}

export interface CommitQueueOptions<Row> {
  /** Makes the rows durable in one transaction, or rejects when none was. Never called twice at once. */
  readonly commit: (rows: readonly Row[]) => Promise<readonly Refusal[]>;
  readonly durability: 'commit' | 'async';
  readonly capacity?: number | undefined;
  /** How long the queue calls itself unhealthy after a failed commit, in milliseconds. */
  readonly unhealthyMs?: number | undefined;
  readonly log?: Logger | undefined;
}

/**
 * Rows waiting or being committed. About 30 MB of records, and some seconds of the highest load that
 * one process can answer: a disk that is further behind will not catch up before clients give up.
 */
const QUEUE_CAPACITY = 10_000;
/** Keeps a transaction at some tens of milliseconds, so that deletions and keys get between. */
const BATCH_ROWS = 1_000;
/** After this time a refused client may try again, and the queue tries a failed batch again under `async`. */
export const RETRY_MS = 1_000;

/**
 * The queue calls itself unhealthy for this time after a failed commit. Then it calls itself healthy, so that a load balancer sends
 * requests again: only another commit shows whether the disk has room by now.
 */
const UNHEALTHY_MS = 10_000;

interface Entry<Row> {
  readonly row: Row;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Group commit: while one batch is being committed, the next one gathers, so that many rows share the cost of
 * one fsync. With `async` the caller does not wait: a batch that fails is kept and tried again, and new rows
 * are refused meanwhile, so that no more rows are at risk.
 */
export class CommitQueue<Row> {
  readonly #options: CommitQueueOptions<Row>;
  readonly #waiting: Entry<Row>[] = [];
  #inFlight: readonly Entry<Row>[] = [];
  #running: Promise<void> | undefined;
  #isFailing = false;
  /** The failure of the last commit; undefined where it succeeded. */
  #failure: { readonly at: number; readonly cause: unknown } | undefined;
  #isClosed = false;
  #cutPause: () => void = () => undefined;

  constructor(options: CommitQueueOptions<Row>) {
    this.#options = options;
  }

  /** Rows that are not durable yet. */
  get depth(): number {
    return this.#waiting.length + this.#inFlight.length;
  }

  /** Throws for some seconds after a commit failed, and says why; for readiness. */
  requireHealthy(): void {
    const { unhealthyMs = UNHEALTHY_MS } = this.#options;
    if (!this.#failure || performance.now() - this.#failure.at >= unhealthyMs) return;
    throw new Error(`the last checks could not be committed: ${reasonOf(this.#failure.cause)}`);
  }

  /** Resolves as `audit.durability` says; see `CheckStore.append` for how it rejects. */
  append(row: Row): Promise<void> {
    if (this.#isClosed) return Promise.reject(unavailable('the commit queue is closed'));
    if (this.#isFailing) return Promise.reject(unavailable('the last batch could not be committed'));
    const capacity = this.#options.capacity ?? QUEUE_CAPACITY;
    if (this.depth >= capacity) return Promise.reject(unavailable('the commit queue is full'));
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ row, done });
    this.#running ??= this.#run();
    if (this.#options.durability === 'commit') return done.promise;
    done.promise.catch((err) =>
      this.#options.log?.error({ err }, 'a check that was answered is not recorded'),
    );
    return Promise.resolve();
  }

  /** Resolves when every row appended so far is durable or refused. Rejects while a failed batch is still to be committed (`async`). */
  async settled(): Promise<void> {
    if (this.#isFailing) throw unavailable('the last batch could not be committed');
    const last = this.#waiting.at(-1) ?? this.#inFlight.at(-1);
    await last?.done.promise.catch(() => undefined);
  }

  /** Takes no more rows and commits what is queued. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cutPause();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Rows appended in the same turn of the event loop share the batch.
    await undefined;
    while (this.#waiting.length > 0) {
      this.#inFlight = this.#waiting.splice(0, BATCH_ROWS);
      await this.#commit(this.#inFlight);
      this.#inFlight = [];
    }
    this.#running = undefined;
  }

  async #commit(batch: readonly Entry<Row>[]): Promise<void> {
    try {
      const refusals = await this.#options.commit(batch.map(({ row }) => row));
      for (const { index, reason } of refusals) {
        batch[index]?.done.reject(new Error(`the database refuses a check: ${reason}`));
      }
      for (const { done } of batch) done.resolve();
      if (this.#failure) this.#options.log?.info('checks are recorded again');
      this.#isFailing = false;
      this.#failure = undefined;
    } catch (cause) {
      // Logged once, not for each batch: on a full disk every commit fails.
      if (!this.#failure) {
        this.#options.log?.error({ err: cause, rows: batch.length }, 'checks cannot be recorded');
      }
      this.#failure = { at: performance.now(), cause };
      if (this.#options.durability === 'async' && !this.#isClosed) return this.#keep(batch);
      for (const { done } of batch) done.reject(unavailable(cause));
    }
  }

  async #keep(batch: readonly Entry<Row>[]): Promise<void> {
    this.#isFailing = true;
    this.#waiting.unshift(...batch);
    this.#inFlight = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.#cutPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** 503: the storage cannot be used now. An `unavailable` that comes in is returned as it is. */
export function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'unavailable') return cause;
  const error = typeof cause === 'string' ? new Error(cause) : cause;
  // Read in the log, beside the cause: it may have been a job, not a request, that could not go on.
  const message = 'what is stored cannot be used now';
  return new AppError('unavailable', { message, cause: error, retryAfterMs: RETRY_MS });
}
