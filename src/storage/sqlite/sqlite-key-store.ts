import type { StatementSync } from 'node:sqlite';
import { type ApiKey, ENVIRONMENTS, type NewApiKey } from '../../accounts/key.ts';
import { unavailable } from '../commit-queue.ts';
import type { TrailEntry } from '../people-ports.ts';
import type { KeyStore, StoredKey } from '../ports.ts';
import type { Connections } from './connections.ts';
import type { ApiKeysTable } from './schema.ts';
import { trailStatements } from './trail-statements.ts';

export class SqliteKeyStore implements KeyStore {
  readonly #connections: Connections;
  readonly #findByHash: StatementSync;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#findByHash = connections.reader.prepare('SELECT * FROM api_keys WHERE hash = ?');
  }

  async create(key: NewApiKey, entry?: TrailEntry): Promise<void> {
    const { query } = await this.#connections.typed();
    await this.#connections.writeAll([
      query.insertInto('api_keys').values(toRow(key)).compile(),
      ...trailStatements(entry),
    ]);
  }

  async findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    try {
      // The table is STRICT and its columns are those of ApiKeysTable.
      const row = this.#findByHash.get(hash) as ApiKeysTable | undefined;
      return row && { key: toApiKey(row), hash: row.hash };
    } catch (error) {
      throw unavailable(error);
    }
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const { query } = await this.#connections.typed();
    const row = await query.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toApiKey(row);
  }

  async list(accountId?: string): Promise<readonly ApiKey[]> {
    const { query, sql } = await this.#connections.typed();
    const all = query.selectFrom('api_keys').selectAll().orderBy(sql`rowid`);
    const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
    return rows.map(toApiKey);
  }

  async revoke(id: string, at: string, entry?: TrailEntry): Promise<boolean> {
    const { query, sql } = await this.#connections.typed();
    // The first revocation's time stays.
    const revoked_at = sql<string>`coalesce(revoked_at, ${at})`;
    return this.#connections.writeAll([
      query.updateTable('api_keys').set({ revoked_at }).where('id', '=', id).compile(),
      ...trailStatements(entry),
    ]);
  }

  async rotate(id: string, expiresAt: string, successor: NewApiKey, entry?: TrailEntry): Promise<boolean> {
    const { query, sql } = await this.#connections.typed();
    const family = sql<string>`(SELECT coalesce(family, id) FROM api_keys WHERE id = ${id})`;
    return this.#connections.writeAll([
      // First, so that the reference to it holds.
      query
        .insertInto('api_keys')
        .values({ ...toRow(successor), family })
        .compile(),
      query
        .updateTable('api_keys')
        .set({ expires_at: expiresAt, replaced_by: successor.id })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where('replaced_by', 'is', null)
        .compile(),
      ...trailStatements(entry),
    ]);
  }

  async markSeenInClear(id: string, at: string, unlessSince: string): Promise<boolean> {
    const { query } = await this.#connections.typed();
    const changed = await this.#connections.write(
      query
        .updateTable('api_keys')
        .set({ seen_in_clear_at: at })
        .where('id', '=', id)
        .where((or) => or.or([or('seen_in_clear_at', 'is', null), or('seen_in_clear_at', '<=', unlessSince)]))
        .compile(),
    );
    return changed > 0;
  }
}

function toRow(key: NewApiKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    environment: key.environment,
    name: key.name,
    prefix: key.prefix,
    hash: key.hash,
    created_at: key.createdAt,
  };
}

function toApiKey(row: ApiKeysTable): ApiKey {
  const environment = ENVIRONMENTS.find((known) => known === row.environment);
  if (environment === undefined) throw new Error(`key ${row.id} has the environment "${row.environment}"`);
  return {
    id: row.id,
    accountId: row.account_id,
    environment,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    seenInClearAt: row.seen_in_clear_at,
    expiresAt: row.expires_at,
    replacedBy: row.replaced_by,
    family: row.family ?? row.id,
  };
}
