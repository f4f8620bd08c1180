import type { Logger } from '../../observability/logger.ts';
import { CommitQueue } from '../commit-queue.ts';
import type { CheckRow, CheckSelection, CheckStore, NewCheck, RecordedCheck, TriedCheck } from '../ports.ts';
import { checksOf } from './checks-of-person.ts';
import type { Connections } from './connections.ts';
import { type PackedRows, packRows } from './packed-rows.ts';
import { countChecks, readPages, readTriedPages } from './read-checks.ts';
import { RowWriter, type SharedText, type SharingRow, textsOf } from './shared-texts.ts';
import type { Doomed } from './writing-connection.ts';

/** A transaction of some milliseconds, so that appends get between two of them. */
const DELETED_AT_ONCE = 1_000;

export interface SqliteCheckStoreOptions {
  readonly durability: 'commit' | 'async';
  readonly queueCapacity?: number | undefined;
  readonly log?: Logger | undefined;
}

export class SqliteCheckStore implements CheckStore {
  readonly #connections: Connections;
  readonly #queue: CommitQueue<SharingRow>;
  readonly #rows = new RowWriter();
  /** With the parts of the batch that is being staged: each of its texts goes once. */
  #sentTexts: ReadonlySet<SharedText> = new Set();
  readonly #log: Logger | undefined;
  /** Deleted rows may still lie in the write-ahead log. */
  #hasLeftovers = false;

  constructor(connections: Connections, { durability, queueCapacity, log }: SqliteCheckStoreOptions) {
    this.#connections = connections;
    this.#log = log;
    this.#queue = new CommitQueue({
      stage: (rows) => {
        const sent = new Set(this.#sentTexts);
        connections.writer.send('stageChecks', ...packed(rows, sent));
        // Not before: the rows of a part that cannot be sent go with the commit, and so must their texts.
        this.#sentTexts = sent;
      },
      commit: (rows) => {
        const sent = new Set(this.#sentTexts);
        this.#sentTexts = new Set();
        return connections.writer.call('commitChecks', ...packed(rows, sent));
      },
      durability,
      capacity: queueCapacity,
      log,
    });
  }

  get pending(): number {
    return this.#queue.depth;
  }

  /** False for some seconds after a commit failed. */
  get isHealthy(): boolean {
    return this.#queue.isHealthy;
  }

  append(check: NewCheck): Promise<void> {
    return this.#queue.append(this.#rows.write(check));
  }

  async find(id: string): Promise<CheckRow | undefined> {
    const { query } = await this.#connections.typed();
    return await query.selectFrom('checks').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async count(selection: CheckSelection): Promise<number> {
    return countChecks(this.#connections.reader, selection);
  }

  pages(selection: CheckSelection): AsyncIterable<readonly RecordedCheck[]> {
    return readPages(this.#connections.reader, selection);
  }

  triedPages(selection: CheckSelection): AsyncIterable<readonly TriedCheck[]> {
    return readTriedPages(this.#connections.reader, selection);
  }

  async forget({
    addressHmac,
  }: {
    readonly addressHmac: string;
  }): Promise<{ readonly checks: number; readonly labels: number }> {
    // What was answered before must not be written after.
    await this.#queue.settled();
    const labels = await this.#deleteLabelsOf(addressHmac);
    return { checks: await this.#delete({ addressHmac }), labels };
  }

  deleteBefore(instant: string, signal?: AbortSignal): Promise<number> {
    return this.#delete({ createdBefore: instant }, signal);
  }

  /** Commits what is queued and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** The person's, and those of their checks, which would go with these but not be counted. */
  async #deleteLabelsOf(addressHmac: string): Promise<number> {
    const deleted = await this.#connections.write({
      sql: `DELETE FROM labels WHERE address_hmac = ?1 OR check_id IN (SELECT c.id FROM ${checksOf('?1')})`,
      parameters: [addressHmac],
    });
    this.#hasLeftovers ||= deleted > 0;
    return deleted;
  }

  async #delete(doomed: Doomed, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    let last: number;
    do {
      last = await this.#connections.call('deleteChecks', doomed, DELETED_AT_ONCE);
      deleted += last;
      this.#hasLeftovers ||= last > 0;
    } while (last === DELETED_AT_ONCE && !signal?.aborted);
    if (this.#hasLeftovers) await this.#emptyLog();
    return deleted;
  }

  async #emptyLog(): Promise<void> {
    this.#hasLeftovers = !(await this.#connections.call('checkpoint'));
    if (!this.#hasLeftovers) return;
    this.#log?.warn(
      {},
      'deleted records stay in the write-ahead log while another process reads; the next deletion tries again',
    );
  }
}

function packed(rows: readonly SharingRow[], sent: Set<SharedText>): [PackedRows, readonly SharedText[]] {
  return [packRows(rows.map(({ row }) => row)), textsOf(rows, sent)];
}
