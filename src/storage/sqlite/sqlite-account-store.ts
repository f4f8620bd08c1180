import { sql } from 'kysely';
import type { Account } from '../../keys/key.ts';
import type { AccountStore } from '../ports.ts';
import type { Connections } from './connections.ts';
import type { AccountsTable } from './schema.ts';

export class SqliteAccountStore implements AccountStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async create({ id, name, createdAt }: Account): Promise<void> {
    const row = { id, name, created_at: createdAt };
    await this.#connections.write(this.#connections.query.insertInto('accounts').values(row).compile());
  }

  async find(id: string): Promise<Account | undefined> {
    const { query } = this.#connections;
    const row = await query.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const { query } = this.#connections;
    const rows = await query.selectFrom('accounts').selectAll().orderBy(sql`rowid`).execute();
    return rows.map(toAccount);
  }
}

function toAccount({ id, name, created_at: createdAt }: AccountsTable): Account {
  return { id, name, createdAt };
}
