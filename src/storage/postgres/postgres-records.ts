import type { Parameter, RecordsDatabase } from '../shared/records-database.ts';
import { Connections, isBehindPooler } from './connections.ts';
import { PostgresReplayQueries } from './replay-queries.ts';

/** A process that reads asks one thing after the other, and what it keeps beside asks one. */
const MAX_CONNECTIONS = 2;
/**
 * What the longest question may take. The server does not notice that a process was killed before it has an answer for it: so long it
 * may go on with the statement of a client that has left.
 */
export const READING_TIMEOUT_MS = 60_000;

export async function openPostgresRecords(url: string): Promise<RecordsDatabase> {
  return new PostgresRecords(await connect('postern insights', url));
}

export async function openPostgresRecordedChecks(url: string) {
  const connections = await connect('postern replays', url);
  return Object.assign(new PostgresReplayQueries(connections), { close: () => connections.end() });
}

class PostgresRecords implements RecordsDatabase {
  readonly dialect = 'postgres';
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async all<Row>(sql: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]> {
    const numbered = sql.split('?').reduce((before, after, place) => `${before}$${place}${after}`);
    return (await this.#connections.query(numbered, parameters)).rows;
  }

  close(): Promise<void> {
    return this.#connections.end();
  }
}

/**
 * Whatever is asked, the server refuses to write for it. The address may have options too. A pooler takes neither these nor a time-out:
 * there what is asked is all that is certain.
 */
async function connect(name: string, url: string): Promise<Connections> {
  const isPooler = await isBehindPooler({ url });
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  if (!isPooler) address.searchParams.set('options', `${options} -c default_transaction_read_only=on`.trim());
  const reading = { url: address.href, statementTimeoutMs: READING_TIMEOUT_MS };
  return new Connections({ name, max: MAX_CONNECTIONS, isPooler }, reading);
}
