import type { Account } from '../../accounts/key.ts';
import type { TrailEntry } from '../people-ports.ts';
import type { AccountStore } from '../ports.ts';
import type { Connections } from './connections.ts';
import type { AccountsTable } from './schema.ts';
import { trailStatements } from './trail-statements.ts';

export class SqliteAccountStore implements AccountStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async hasAny(): Promise<boolean> {
    return this.#connections.reader.prepare('SELECT 1 FROM accounts LIMIT 1').get() !== undefined;
  }

  async create({ id, name, createdAt }: Account, entry?: TrailEntry): Promise<void> {
    const row = { id, name, created_at: createdAt };
    const { query } = await this.#connections.typed();
    await this.#connections.writeAll([
      query.insertInto('accounts').values(row).compile(),
      ...trailStatements(entry),
    ]);
  }

  async find(id: string): Promise<Account | undefined> {
    const { query } = await this.#connections.typed();
    const row = await query.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const { query, sql } = await this.#connections.typed();
    const rows = await query.selectFrom('accounts').selectAll().orderBy(sql`rowid`).execute();
    return rows.map(toAccount);
  }
}

function toAccount({ id, name, created_at: createdAt }: AccountsTable): Account {
  return { id, name, createdAt };
}
