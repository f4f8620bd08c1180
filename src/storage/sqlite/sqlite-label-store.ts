import { unavailable } from '../commit-queue.ts';
import type {
  LabelChanges,
  LabelStore,
  LabelSubject,
  LabelSummary,
  NewLabel,
  StoredLabel,
} from '../ports.ts';
import type { Connections } from './connections.ts';
import type { StagedLabel } from './label-staging.ts';
import { countReach, listLabels, summarizeLabels } from './read-labels.ts';

/** Rows of a call to the writer: some milliseconds, so that appends get between two of them. */
const ROWS_AT_ONCE = 2_000;

export class SqliteLabelStore implements LabelStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  put(accountId: string, labels: Iterable<NewLabel>, recordedAt: string): Promise<LabelChanges> {
    return this.#stage(accountId, labels, recordedAt, false);
  }

  weigh(accountId: string, labels: Iterable<NewLabel>): Promise<LabelChanges> {
    return this.#stage(accountId, labels, '', true);
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
    const removed = await this.#write(`DELETE FROM labels WHERE ${column} = ? AND account_id = ?`, [
      value,
      accountId,
    ]);
    return removed > 0;
  }

  async deleteIdle(recordedBefore: string): Promise<number> {
    const last = this.#connections.reader.prepare('SELECT max(rowid) AS place FROM labels').get()?.place;
    let deleted = 0;
    for (let from = 0; from < Number(last ?? 0); from += ROWS_AT_ONCE) {
      deleted += await this.#write(
        `DELETE FROM labels WHERE rowid > ? AND rowid <= ? AND address_hmac IS NOT NULL AND recorded_at < ?
         AND NOT EXISTS (SELECT 1 FROM checks
           WHERE checks.address_hmac = labels.address_hmac AND +checks.account_id = labels.account_id)`,
        [from, from + ROWS_AT_ONCE, recordedBefore],
      );
    }
    return deleted;
  }

  async #stage(
    accountId: string,
    labels: Iterable<NewLabel>,
    recordedAt: string,
    isTrial: boolean,
  ): Promise<LabelChanges> {
    const { writer } = this.#connections;
    try {
      await writer.call('beginLabels');
      for (const batch of batchesOf(labels)) await writer.call('stageLabels', batch);
      return await writer.call('putLabels', accountId, recordedAt, isTrial);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #write(sql: string, parameters: readonly (string | number)[]): Promise<number> {
    try {
      return await this.#connections.writer.call('run', sql, parameters);
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function* batchesOf(labels: Iterable<NewLabel>): Generator<readonly StagedLabel[]> {
  let batch: StagedLabel[] = [];
  for (const { subject, label, source, author, labelledAt } of labels) {
    const [checkId, addressHmac] =
      'checkId' in subject ? [subject.checkId, null] : [null, subject.addressHmac];
    batch.push([checkId, addressHmac, label, source, author, labelledAt]);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
