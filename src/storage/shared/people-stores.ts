import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { AccountRole, OperatorRole, Person } from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';
import type {
  LinkPurpose,
  LinkStore,
  NewLink,
  NewPerson,
  OneTimeLink,
  PeopleStore,
  Roles,
  TrailEntry,
} from '../people-ports.ts';
import { addEntry } from './audit-trail-store.ts';
import { allOrNone, anyOf, type Database, isDuplicate, type Row, type Schema } from './schema.ts';

export class PersonStore implements PeopleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async hasAny(): Promise<boolean> {
    return (await this.#db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  async find(id: string): Promise<Person | undefined> {
    return (await this.#select({ id }))[0];
  }

  async findByEmail(email: string): Promise<Person | undefined> {
    return (await this.#select({ email }))[0];
  }

  list(): Promise<readonly Person[]> {
    return this.#select({});
  }

  setRoles(id: string, { operatorRole, memberships }: Roles, entry: TrailEntry): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      const changed = await trx
        .updateTable('people')
        .set({ operator_role: operatorRole, updated_at: entry.at })
        .where('id', '=', id)
        .where(operatorRole === 'owner' ? sql<SqlBool>`TRUE` : leavesAnOwner(id))
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) return false;
      await trx.deleteFrom('memberships').where('person_id', '=', id).execute();
      await addMemberships(trx, id, memberships);
      if (operatorRole !== 'owner') await revokeLinksOf(trx, id, entry.at);
      await addEntry(trx, entry);
      return true;
    });
  }

  remove(id: string, entry: TrailEntry): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      const removed = await trx
        .deleteFrom('people')
        .where('id', '=', id)
        .where(leavesAnOwner(id))
        .executeTakeFirst();
      if (removed.numDeletedRows === 0n) return false;
      await revokeLinksOf(trx, id, entry.at);
      await addEntry(trx, entry);
      return true;
    });
  }

  async deleteEndedSessions(at: string): Promise<void> {
    const ended = this.#db.selectFrom('sessions').select('id').where('expires_at', '<=', at).limit(1);
    // Spares the commit where there is nothing to delete.
    if (!(await ended.executeTakeFirst())) return;
    await this.#db.deleteFrom('sessions').where('expires_at', '<=', at).execute();
  }

  async #select(by: { readonly id?: string; readonly email?: string }): Promise<readonly Person[]> {
    let people = this.#db.selectFrom('people').selectAll().orderBy('id');
    if (by.id !== undefined) people = people.where('id', '=', by.id);
    if (by.email !== undefined) people = people.where('email', '=', by.email);
    const rows = await people.execute();
    const memberships = await this.#db
      .selectFrom('memberships')
      .selectAll()
      .where('person_id', 'in', anyOf(rows.map(({ id }) => id)))
      .orderBy('account_id')
      .execute();
    return rows.map((row) => toPerson(row, memberships));
  }
}

export class OneTimeLinkStore implements LinkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async hasAny(purpose: LinkPurpose): Promise<boolean> {
    const any = this.#db.selectFrom('one_time_links').select('id').where('purpose', '=', purpose).limit(1);
    return (await any.executeTakeFirst()) !== undefined;
  }

  async create(link: NewLink, entry: TrailEntry): Promise<void> {
    const { id, purpose, hash, email, personId, operatorRole, membership, createdBy } = link;
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .updateTable('one_time_links')
        .set({ revoked_at: link.createdAt })
        .where('purpose', '=', purpose)
        .where('email', 'is not distinct from', email)
        .where('person_id', 'is not distinct from', personId)
        .where(isOpen(link.createdAt))
        .execute();
      await trx
        .insertInto('one_time_links')
        .values({
          ...{ id, purpose, hash, email, person_id: personId, operator_role: operatorRole },
          ...{ account_id: membership?.accountId ?? null, account_role: membership?.role ?? null },
          ...{ created_by: createdBy, created_at: link.createdAt, expires_at: link.expiresAt },
        })
        .execute();
      await addEntry(trx, entry);
    });
  }

  async findOpen(hash: Uint8Array, at: string): Promise<OneTimeLink | undefined> {
    const row = await this.#db
      .selectFrom('one_time_links')
      .selectAll()
      .where('hash', '=', hash)
      .where(isOpen(at))
      .executeTakeFirst();
    return row && toLink(row);
  }

  async listOpen(at: string): Promise<readonly OneTimeLink[]> {
    const rows = await this.#db
      .selectFrom('one_time_links')
      .selectAll()
      .where(isOpen(at))
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toLink);
  }

  revoke(id: string, at: string, entry: TrailEntry): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      const revoked = await trx
        .updateTable('one_time_links')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where(isOpen(at))
        .executeTakeFirst();
      if (revoked.numUpdatedRows === 0n) return false;
      await addEntry(trx, entry);
      return true;
    });
  }

  async join(link: OneTimeLink, person: NewPerson, entry: TrailEntry): Promise<boolean> {
    const { id, email, name, operatorRole, createdAt: at, passwordHash } = person;
    const times = { created_at: at, updated_at: at };
    try {
      return await allOrNone(this.#db, async (trx) => {
        if (!(await spend(trx, link, at))) return false;
        await trx
          .insertInto('people')
          .values({ id, email, name, operator_role: operatorRole, ...times })
          .execute();
        await trx
          .insertInto('credentials')
          .values({
            ...{ id: `${id}_password`, person_id: id, provider: 'credential', subject: id },
            ...{ password: passwordHash, ...times },
          })
          .execute();
        await addMemberships(trx, id, person.memberships);
        await addEntry(trx, entry);
        return true;
      });
    } catch (error) {
      // Of all that is unique only the email is not ours to make.
      if (isDuplicate(error)) throw new AppError('email_taken', { cause: error });
      throw error;
    }
  }

  resetPassword(
    link: OneTimeLink,
    { passwordHash, at }: { readonly passwordHash: string; readonly at: string },
    entry: TrailEntry,
  ): Promise<boolean> {
    return allOrNone(this.#db, async (trx) => {
      if (!(await spend(trx, link, at))) return false;
      const reset = await trx
        .updateTable('credentials')
        .set({ password: passwordHash, updated_at: at })
        .where('person_id', '=', link.personId ?? '')
        .where('provider', '=', 'credential')
        .executeTakeFirst();
      if (reset.numUpdatedRows === 0n) return false;
      await trx
        .deleteFrom('sessions')
        .where('person_id', '=', link.personId ?? '')
        .execute();
      await addEntry(trx, entry);
      return true;
    });
  }
}

async function spend(trx: Database, { id }: OneTimeLink, at: string): Promise<boolean> {
  const spent = await trx
    .updateTable('one_time_links')
    .set({ used_at: at })
    .where('id', '=', id)
    .where(isOpen(at))
    .executeTakeFirst();
  return spent.numUpdatedRows > 0n;
}

function isOpen(at: string) {
  return (link: ExpressionBuilder<Schema, 'one_time_links'>) =>
    link.and([link('used_at', 'is', null), link('revoked_at', 'is', null), link('expires_at', '>', at)]);
}

/** Holds of a person who is no owner, or while another owner is left. */
function leavesAnOwner(id: string) {
  return sql<SqlBool>`(operator_role IS NULL OR operator_role <> 'owner'
    OR (SELECT count(*) FROM people other WHERE other.operator_role = 'owner' AND other.id <> ${id}) > 0)`;
}

async function addMemberships(
  trx: Database,
  personId: string,
  memberships: Person['memberships'],
): Promise<void> {
  const rows = memberships.map(({ accountId, role }) => ({
    person_id: personId,
    account_id: accountId,
    role,
  }));
  if (rows.length > 0) await trx.insertInto('memberships').values(rows).execute();
}

/** What an owner has handed out ends with their being one: it would let in whom they like. */
async function revokeLinksOf(trx: Database, personId: string, at: string): Promise<void> {
  await trx
    .updateTable('one_time_links')
    .set({ revoked_at: at })
    .where('created_by', '=', personId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}

function toPerson(row: Row<'people'>, memberships: readonly Row<'memberships'>[]): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    // The tables let no other role in.
    operatorRole: row.operator_role as OperatorRole | null,
    memberships: memberships
      .filter(({ person_id }) => person_id === row.id)
      .map(({ account_id: accountId, role }) => ({ accountId, role: role as AccountRole })),
    createdAt: row.created_at,
  };
}

function toLink(row: Row<'one_time_links'>): OneTimeLink {
  const { account_id: accountId } = row;
  return {
    id: row.id,
    // The table lets no other purpose and role in.
    purpose: row.purpose as LinkPurpose,
    email: row.email,
    personId: row.person_id,
    operatorRole: row.operator_role as OperatorRole | null,
    membership: accountId === null ? null : { accountId, role: row.account_role as AccountRole },
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
