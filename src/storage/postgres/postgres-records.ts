import type { Parameter, RecordsDatabase } from '../shared/records-database.ts';
import { Connections } from './connections.ts';
import { PostgresReplayQueries } from './replay-queries.ts';

/** A process that reads asks one thing after the other, and what it keeps beside asks one. */
const MAX_CONNECTIONS = 2;
/**
 * What the longest question may take. The server does not notice that a process was killed before it has an answer for it: so long it
 * may go on with the statement of a client that has left.
 */
const STATEMENT_TIMEOUT_MS = 60_000;

export class PostgresRecords implements RecordsDatabase {
  readonly dialect = 'postgres';
  readonly #connections: Connections;

  constructor(url: string) {
    this.#connections = connect('postern insights', url);
  }

  async all<Row>(sql: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]> {
    const numbered = sql.split('?').reduce((before, after, place) => `${before}$${place}${after}`);
    return (await this.#connections.query(numbered, parameters)).rows;
  }

  close(): Promise<void> {
    return this.#connections.end();
  }
}

export function openPostgresRecordedChecks(url: string) {
  const connections = connect('postern replays', url);
  return Object.assign(new PostgresReplayQueries(connections), { close: () => connections.end() });
}

/** Whatever is asked, the server refuses to write for it. The address may have options too. */
function connect(name: string, url: string): Connections {
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${options} -c default_transaction_read_only=on`.trim());
  const reading = { url: address.href, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return new Connections({ name, max: MAX_CONNECTIONS }, reading);
}
