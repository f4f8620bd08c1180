import { type CompiledQuery, sql } from 'kysely';
import { type Account, type ApiKey, ENVIRONMENTS, type NewApiKey } from '../../accounts/key.ts';
import { nextHour } from '../../insights/hours.ts';
import type { TrailEntry } from '../people-ports.ts';
import type {
  AccountStore,
  CheckHour,
  CheckHourStore,
  KeyStore,
  ProviderValueStore,
  StoredKey,
  UsageStore,
} from '../ports.ts';
import { addEntry } from './audit-trail-store.ts';
import { allOrNone, type Database, type NewRow, type Row } from './schema.ts';

export class AccountsStore implements AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async hasAny(): Promise<boolean> {
    return (await this.#db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  async create({ id, name, createdAt }: Account, entry?: TrailEntry): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.insertInto('accounts').values({ id, name, created_at: createdAt }).execute();
      await addEntry(trx, entry);
    });
  }

  async find(id: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toAccount(row);
  }

  async list(): Promise<readonly Account[]> {
    const rows = await this.#db
      .selectFrom('accounts')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(toAccount);
  }
}

export class ApiKeyStore implements KeyStore {
  readonly #db: Database;
  /** Compiled once: it is asked for each request. */
  readonly #byHash: CompiledQuery<Row<'api_keys'>>;

  constructor(db: Database) {
    this.#db = db;
    this.#byHash = db.selectFrom('api_keys').selectAll().where('hash', '=', new Uint8Array()).compile();
  }

  async findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    const { rows } = await this.#db.executeQuery<Row<'api_keys'>>({ ...this.#byHash, parameters: [hash] });
    const [row] = rows;
    return row && { key: toApiKey(row), hash: row.hash };
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const row = await this.#db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toApiKey(row);
  }

  async list(accountId?: string): Promise<readonly ApiKey[]> {
    let keys = this.#db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
    if (accountId !== undefined) keys = keys.where('account_id', '=', accountId);
    return (await keys.execute()).map(toApiKey);
  }

  async create(key: NewApiKey, entry?: TrailEntry): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.insertInto('api_keys').values(toRow(key)).execute();
      await addEntry(trx, entry);
    });
  }

  revoke(id: string, at: string, entry?: TrailEntry): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      const revoked = await trx
        .updateTable('api_keys')
        // The first revocation's time stays.
        .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(at)) }))
        .where('id', '=', id)
        .executeTakeFirst();
      if (revoked.numUpdatedRows === 0n) return false;
      await addEntry(trx, entry);
      return true;
    });
  }

  rotate(id: string, expiresAt: string, successor: NewApiKey, entry?: TrailEntry): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      const family = sql<string>`(SELECT coalesce(family, id) FROM api_keys WHERE id = ${id})`;
      // First, so that the reference to it holds.
      await trx
        .insertInto('api_keys')
        .values({ ...toRow(successor), family })
        .execute();
      const rotated = await trx
        .updateTable('api_keys')
        .set({ expires_at: expiresAt, replaced_by: successor.id })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .where('replaced_by', 'is', null)
        .executeTakeFirst();
      if (rotated.numUpdatedRows === 0n) return false;
      await addEntry(trx, entry);
      return true;
    });
  }

  async markSeenInClear(id: string, at: string, unlessSince: string): Promise<boolean> {
    const marked = await this.#db
      .updateTable('api_keys')
      .set({ seen_in_clear_at: at })
      .where('id', '=', id)
      .where((or) => or.or([or('seen_in_clear_at', 'is', null), or('seen_in_clear_at', '<=', unlessSince)]))
      .executeTakeFirst();
    return marked.numUpdatedRows > 0n;
  }
}

export class UsageOfMonths implements UsageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async read(accountId: string, month: string): Promise<number> {
    const row = await this.#db
      .selectFrom('usage')
      .select('checks')
      .where('account_id', '=', accountId)
      .where('month', '=', month)
      .executeTakeFirst();
    return row?.checks ?? 0;
  }
}

export class ProviderValues implements ProviderValueStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(provider: string, key: string, atMs: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('provider_values')
      .select('value')
      .where('provider', '=', provider)
      .where('key', '=', key)
      .where('ends_at', '>', atMs)
      .executeTakeFirst();
    return row?.value;
  }

  async keep(provider: string, key: string, value: string, endsAtMs: number, atMs: number): Promise<void> {
    const kept = { value, ends_at: endsAtMs };
    await this.#db.transaction().execute(async (trx) => {
      // By index: where nothing has ended, this touches no page.
      await trx.deleteFrom('provider_values').where('ends_at', '<=', atMs).execute();
      await trx
        .insertInto('provider_values')
        .values({ provider, key, ...kept })
        .onConflict((known) => known.columns(['provider', 'key']).doUpdateSet(kept))
        .execute();
    });
  }
}

/** Hours of a transaction: some milliseconds, which appends wait for. */
const KEPT_AT_ONCE = 50;

export class CheckHours implements CheckHourStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async keep(hours: readonly CheckHour[]): Promise<void> {
    for (let from = 0; from < hours.length; from += KEPT_AT_ONCE) {
      await this.#db.transaction().execute(async (trx) => {
        for (const hour of hours.slice(from, from + KEPT_AT_ONCE)) await keepHour(trx, hour);
      });
    }
  }
}

async function keepHour(trx: Database, { accountId, hour, checks, tally }: CheckHour): Promise<void> {
  const there = await trx
    .selectFrom('checks')
    .select(({ fn }) => fn.countAll<number>().as('checks'))
    .where('account_id', '=', accountId)
    .where('created_at', '>=', hour)
    .where('created_at', '<', nextHour(hour))
    .executeTakeFirstOrThrow();
  // It was counted before a check came or went.
  if (Number(there.checks) !== checks) return;
  await trx
    .insertInto('check_hours')
    .values({ account_id: accountId, hour, checks, tally })
    .onConflict((kept) => kept.columns(['account_id', 'hour']).doUpdateSet({ checks, tally }))
    .execute();
}

function toAccount({ id, name, created_at: createdAt }: Row<'accounts'>): Account {
  return { id, name, createdAt };
}

function toRow(key: NewApiKey): NewRow<'api_keys'> {
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

function toApiKey(row: Row<'api_keys'>): ApiKey {
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
