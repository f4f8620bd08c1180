import { type Selectable, sql } from 'kysely';
import type { ApiKey } from '../../accounts/key.ts';
import { nextHour } from '../../insights/hours.ts';
import type {
  AccountStore,
  CheckHour,
  CheckHourStore,
  KeyStore,
  ProviderValueStore,
  ServiceStateStore,
  UsageStore,
} from '../ports.ts';
import type { Revocations } from '../revocation-log.ts';
import { changeWithEntry } from './people-stores.ts';
import { ASKED_OFTEN, type Database, type HoldTable, hasChanged, put, type Schema } from './schema.ts';

export function accountStore(db: Database): AccountStore {
  return {
    async create(account, entry) {
      await changeWithEntry(db, entry, (trx) => trx.insertInto('accounts').values(account).execute());
    },
    find: (id) => db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst(),
    list: () => db.selectFrom('accounts').selectAll().orderBy('createdAt').orderBy('id').execute(),
  };
}

type KeyRow = Selectable<Schema['apiKeys']>;

/**
 * Named, because the statement that uses them is prepared: where a newer release adds a column to the table, PostgreSQL refuses a
 * prepared `SELECT *` ("cached plan must not change result type"), and this release runs beside that one.
 */
const KEY_COLUMNS = [
  'id',
  'accountId',
  'environment',
  'name',
  'prefix',
  'hash',
  'createdAt',
  'revokedAt',
  'seenInClearAt',
  'expiresAt',
  'replacedBy',
  'family',
] as const;

export function keyStore(db: Database, revocations: Revocations): KeyStore {
  const keys = db.selectFrom('apiKeys').select(KEY_COLUMNS);
  /** Compiled once, because it runs for each request. */
  const byHash = keys.where('hash', '=', new Uint8Array()).modifyEnd(sql.raw(ASKED_OFTEN)).compile();
  return {
    async findByHash(hash) {
      const { rows } = await db.executeQuery<KeyRow>({ ...byHash, parameters: [hash] });
      const [row] = rows;
      return row && { key: toApiKey(row), hash: row.hash };
    },
    async find(id) {
      const row = await keys.where('id', '=', id).executeTakeFirst();
      return row && toApiKey(row);
    },
    async list(accountId) {
      const wanted = accountId === undefined ? keys : keys.where('accountId', '=', accountId);
      return (await wanted.orderBy('createdAt').orderBy('id').execute()).map(toApiKey);
    },
    async create(key, entry) {
      await changeWithEntry(db, entry, (trx) => trx.insertInto('apiKeys').values(key).execute());
    },
    revoke: (id, at, entry) =>
      changeWithEntry(db, entry, async (trx) => {
        // The first revocation's time stays.
        const revokedAt = sql<string>`coalesce(revoked_at, ${at})`;
        if (!(await hasChanged(trx.updateTable('apiKeys').set({ revokedAt }).where('id', '=', id))))
          return false;
        return revocations.append({ what: 'key_revoked', id, at });
      }),
    rotate: (id, expiresAt, successor, entry) =>
      changeWithEntry(db, entry, async (trx) => {
        const family = sql<string>`(SELECT coalesce(family, id) FROM api_keys WHERE id = ${id})`;
        // The successor first: `replaced_by` refers to it.
        await trx
          .insertInto('apiKeys')
          .values({ ...successor, family })
          .execute();
        const rotated = trx
          .updateTable('apiKeys')
          .set({ expiresAt, replacedBy: successor.id })
          .where('id', '=', id)
          .where('revokedAt', 'is', null)
          .where('replacedBy', 'is', null);
        if (!(await hasChanged(rotated))) return false;
        return revocations.append({ what: 'key_ends', id, until: expiresAt, at: successor.createdAt });
      }),
    markSeenInClear(id, at, unlessSince) {
      const marked = db
        .updateTable('apiKeys')
        .set({ seenInClearAt: at })
        .where('id', '=', id)
        .where(({ or, eb }) => or([eb('seenInClearAt', 'is', null), eb('seenInClearAt', '<=', unlessSince)]));
      return hasChanged(marked);
    },
  };
}

function toApiKey({ hash, ...key }: KeyRow): ApiKey {
  return { ...key, family: key.family ?? key.id };
}

export function usageStore(db: Database): UsageStore {
  return {
    async read(accountId, month) {
      const row = await db
        .selectFrom('usage')
        .select('checks')
        .where('accountId', '=', accountId)
        .where('month', '=', month)
        .executeTakeFirst();
      return row?.checks ?? 0;
    },
    atLeast: (checks, month) =>
      db
        .selectFrom('usage')
        .innerJoin('accounts', 'accounts.id', 'usage.accountId')
        .selectAll('accounts')
        .select('checks')
        .where('month', '=', month)
        .where('checks', '>=', checks)
        .orderBy('id')
        .execute(),
  };
}

export function providerValueStore(db: Database): ProviderValueStore {
  return {
    async find(provider, key, atMs) {
      const row = await db
        .selectFrom('providerValues')
        .select('value')
        .where('provider', '=', provider)
        .where('key', '=', key)
        .where('endsAt', '>', atMs)
        .executeTakeFirst();
      return row?.value;
    },
    async keep(provider, key, value, endsAt, atMs) {
      await db.transaction().execute(async (trx) => {
        // By an index: where no value has ended, no page is written.
        await trx.deleteFrom('providerValues').where('endsAt', '<=', atMs).execute();
        await put(trx, 'providerValues', ['provider', 'key'], { provider, key, value, endsAt });
      });
    },
  };
}

export function serviceStateStore(db: Database): ServiceStateStore {
  return {
    async find(name) {
      const row = await db
        .selectFrom('serviceState')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst();
      return row?.value;
    },
    keep: (name, value) => put(db, 'serviceState', ['name'], { name, value }),
  };
}

/** Hours stored in one transaction: some milliseconds, for which appends wait. */
const KEPT_AT_ONCE = 50;

export function checkHourStore(db: Database, hold: HoldTable): CheckHourStore {
  return {
    async keep(hours) {
      for (let from = 0; from < hours.length; from += KEPT_AT_ONCE) {
        await db.transaction().execute(async (trx) => {
          // A deletion of checks then waits for this transaction, and deletes their counts.
          await hold(trx, 'checkHours');
          for (const hour of hours.slice(from, from + KEPT_AT_ONCE)) await keepHour(trx, hour);
        });
      }
    },
  };
}

async function keepHour(trx: Database, { accountId, hour, checks, tally }: CheckHour): Promise<void> {
  const there = await trx
    .selectFrom('checks')
    .select(({ fn }) => fn.countAll<number>().as('checks'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>=', hour)
    .where('createdAt', '<', nextHour(hour))
    .executeTakeFirstOrThrow();
  // A check was added or deleted since the hour was counted.
  if (Number(there.checks) !== checks) return;
  await put(trx, 'checkHours', ['accountId', 'hour'], { accountId, hour, checks, tally });
}
