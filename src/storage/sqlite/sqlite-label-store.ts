import { setTimeout as pause } from 'node:timers/promises';
import { Mutex } from '../../lib/concurrency.ts';
import type {
  LabelChanges,
  LabelStore,
  LabelSubject,
  LabelSummary,
  NewLabel,
  StoredLabel,
} from '../label-ports.ts';
import type { Connections } from './connections.ts';
import { findIdleLabels } from './idle-labels.ts';
import type { StagedLabel } from './label-staging.ts';
import { countReach, listLabels, summarizeLabels } from './read-labels.ts';
import { isBusy } from './sqlite-fault.ts';

/** Labels of a transaction: a service that waits for it to record a check has its answer in time. */
const STORED_AT_ONCE = 10_000;
/** Whoever waits for the lock looks again after 100 ms at the latest: sqliteDefaultBusyCallback in SQLite's main.c. */
const PAUSE_MS = 100;
/**
 * Of a transaction, each for as long as anybody waits for the lock: who commits without a pause, as a service under load does, may have
 * it each time that SQLite looks.
 */
const TRIES = 10;
/** Rows of a call to the writer: some milliseconds, so that appends get between two of them. */
const ROWS_AT_ONCE = 2_000;

/** Labels of a deletion: each that goes is wiped from two indexes, and appends wait with it. */
const DELETED_AT_ONCE = 500;

export class SqliteLabelStore implements LabelStore {
  readonly #connections: Connections;
  /** The writer has one table for labels that wait to be judged. */
  readonly #turns = new Mutex();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  put(
    accountId: string,
    labels: Iterable<NewLabel>,
    recordedAt: string,
    onProgress?: (labelsMore: number) => void,
  ): Promise<LabelChanges> {
    return this.#withStaged(accountId, labels, async (staged) => {
      let last: string | null = '';
      for (let stored = 0; stored < staged && last !== null; stored += STORED_AT_ONCE) {
        if (stored > 0) await pause(PAUSE_MS);
        last = await this.#store(accountId, recordedAt, last);
        onProgress?.(Math.min(STORED_AT_ONCE, staged - stored));
      }
    });
  }

  weigh(accountId: string, labels: Iterable<NewLabel>): Promise<LabelChanges> {
    return this.#withStaged(accountId, labels, async () => undefined);
  }

  async reach(accountId: string, subjects: readonly LabelSubject[]): Promise<readonly number[]> {
    return countReach(this.#connections.reader, accountId, subjects);
  }

  async list(accountId: string | undefined, limit: number): Promise<readonly StoredLabel[]> {
    return listLabels(this.#connections.reader, accountId, limit);
  }

  async summarize(accountId?: string): Promise<LabelSummary> {
    return summarizeLabels(this.#connections.reader, accountId);
  }

  async remove(accountId: string, subject: LabelSubject): Promise<boolean> {
    const [column, value] =
      'checkId' in subject ? ['check_id', subject.checkId] : ['address_hmac', subject.addressHmac];
    const removed = await this.#connections.write({
      sql: `DELETE FROM labels WHERE ${column} = ? AND account_id = ?`,
      parameters: [value, accountId],
    });
    return removed > 0;
  }

  async deleteIdle(recordedBefore: string, signal?: AbortSignal): Promise<number> {
    const idle = await findIdleLabels(this.#connections.reader, recordedBefore);
    let deleted = 0;
    for (let from = 0; from < idle.length && !signal?.aborted; from += DELETED_AT_ONCE) {
      // One that was put again meanwhile is not old any more.
      deleted += await this.#connections.write({
        sql: 'DELETE FROM labels WHERE rowid IN (SELECT value FROM json_each(?)) AND address_hmac IS NOT NULL AND recorded_at < ?',
        parameters: [JSON.stringify(idle.slice(from, from + DELETED_AT_ONCE)), recordedBefore],
      });
    }
    return deleted;
  }

  async #store(accountId: string, recordedAt: string, after: string): Promise<string | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#connections.call('storeLabels', accountId, recordedAt, after, STORED_AT_ONCE);
      } catch (error) {
        const isHeld = error instanceof Error && isBusy(error.cause);
        if (!isHeld || tries === TRIES) throw error;
      }
    }
  }

  /** Judges them, and lets `work` do what there is to do. */
  #withStaged(
    accountId: string,
    labels: Iterable<NewLabel>,
    work: (staged: number) => Promise<void>,
  ): Promise<LabelChanges> {
    return this.#turns.run(() => this.#stage(accountId, labels, work));
  }

  async #stage(
    accountId: string,
    labels: Iterable<NewLabel>,
    work: (staged: number) => Promise<void>,
  ): Promise<LabelChanges> {
    const connections = this.#connections;
    await connections.call('beginLabels');
    let staged = 0;
    for (const batch of batchesOf(labels)) {
      await connections.call('stageLabels', batch);
      staged += batch.length;
    }
    const changes = await connections.call('judgeLabels', accountId);
    // Among the same may be some that were told again for a later time.
    if (changes.added + changes.changed + changes.same > 0) await work(staged);
    await connections.call('endLabels');
    return changes;
  }
}

function* batchesOf(labels: Iterable<NewLabel>): Generator<readonly StagedLabel[]> {
  let batch: StagedLabel[] = [];
  for (const { subject, label, source, author, labelledAt } of labels) {
    const named =
      'checkId' in subject
        ? (['check', subject.checkId] as const)
        : (['person', subject.addressHmac] as const);
    batch.push([named[1], named[0], label, source, author, labelledAt]);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
