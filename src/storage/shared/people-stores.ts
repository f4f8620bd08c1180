import { isDeepStrictEqual } from 'node:util';
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { type Person, presentRoles } from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';
import type { AuditStore, LinkStore, OneTimeLink, PeopleStore, Roles, TrailEntry } from '../people-ports.ts';
import type { Revocations } from '../revocation-log.ts';
import { anyOf, type Database, type HoldTable, hasChanged, isDuplicate, type Schema } from './schema.ts';

function peopleIn(db: Database): Pick<PeopleStore, 'find' | 'findByEmail' | 'list'> {
  const people = db.selectFrom('people').select(['id', 'email', 'name', 'operatorRole', 'createdAt']);

  async function withMemberships(found: typeof people): Promise<readonly Person[]> {
    const rows = await found.execute();
    const memberships = await db
      .selectFrom('memberships')
      .selectAll()
      .where('personId', 'in', anyOf(rows.map(({ id }) => id)))
      .orderBy('accountId')
      .execute();
    const ofPerson = Map.groupBy(memberships, ({ personId }) => personId);
    return rows.map((person) => ({
      ...person,
      memberships: (ofPerson.get(person.id) ?? []).map(({ accountId, role }) => ({ accountId, role })),
    }));
  }

  return {
    find: async (id) => (await withMemberships(people.where('id', '=', id)))[0],
    findByEmail: async (email) => (await withMemberships(people.where('email', '=', email)))[0],
    list: () => withMemberships(people.orderBy('id')),
  };
}

export function peopleStore(db: Database, revocations: Revocations, hold: HoldTable): PeopleStore {
  return {
    ...peopleIn(db),
    setRoles: (id, { operatorRole, memberships }, entry, was) =>
      changeWithEntry(db, entry, async (trx) => {
        // Concurrent changes: two owners who demote each other leave one owner, and a second change of one person gets `roles_changed`.
        await hold(trx, 'people');
        const person = was && (await peopleIn(trx).find(id));
        if (person && !isDeepStrictEqual(rolesOf(person), rolesOf(was))) throw new AppError('roles_changed');
        const changed = trx
          .updateTable('people')
          .set({ operatorRole, updatedAt: entry.at })
          .where('id', '=', id)
          .where(operatorRole === 'owner' ? sql<SqlBool>`TRUE` : leavesAnOwner(id));
        if (!(await hasChanged(changed))) return false;
        await trx.deleteFrom('memberships').where('personId', '=', id).execute();
        await addMemberships(trx, id, memberships);
        if (operatorRole !== 'owner') await revokeLinksOf(trx, id, entry.at);
        const roles = presentRoles({ operatorRole, memberships });
        return revocations.append({ what: 'roles_changed', id, roles, at: entry.at });
      }),
    remove: (id, entry) =>
      changeWithEntry(db, entry, async (trx) => {
        await hold(trx, 'people');
        const removed = trx.deleteFrom('people').where('id', '=', id).where(leavesAnOwner(id));
        if (!(await hasChanged(removed))) return false;
        await revokeLinksOf(trx, id, entry.at);
        return revocations.append({ what: 'person_removed', id, at: entry.at });
      }),
    async notePassword(id, entry) {
      await changeWithEntry(db, entry, async (trx) => {
        const { at } = await trx
          .selectFrom('credentials')
          .select('updatedAt as at')
          .where('personId', '=', id)
          .where('provider', '=', 'credential')
          .executeTakeFirstOrThrow();
        return revocations.append({ what: 'password_changed', id, at });
      });
    },
    async deleteEndedSessions(at) {
      await db.deleteFrom('sessions').where('expiresAt', '<=', at).execute();
    },
  };
}

/** Roles that compare as equal whatever the order of the memberships. */
function rolesOf({ operatorRole, memberships }: Roles) {
  return { operatorRole, roles: new Map(memberships.map(({ accountId, role }) => [accountId, role])) };
}

/** SQL that is true where the person is no owner, or another owner is left. */
function leavesAnOwner(id: string) {
  return sql<SqlBool>`(operator_role IS NULL OR operator_role <> 'owner'
    OR (SELECT count(*) FROM people other WHERE other.operator_role = 'owner' AND other.id <> ${id}) > 0)`;
}

async function addMemberships(
  trx: Database,
  personId: string,
  memberships: Person['memberships'],
): Promise<void> {
  const rows = memberships.map(({ accountId, role }) => ({ personId, accountId, role }));
  if (rows.length > 0) await trx.insertInto('memberships').values(rows).execute();
}

/** Revokes the open links that a former owner has made: they would admit people of that person's choice. */
async function revokeLinksOf(trx: Database, personId: string, at: string): Promise<void> {
  await trx
    .updateTable('oneTimeLinks')
    .set({ revokedAt: at })
    .where('createdBy', '=', personId)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

export function linkStore(db: Database, revocations: Revocations, hold: HoldTable): LinkStore {
  return {
    async hasAny(purpose) {
      const any = db.selectFrom('oneTimeLinks').select('id').where('purpose', '=', purpose).limit(1);
      return (await any.executeTakeFirst()) !== undefined;
    },
    async create({ membership, ...link }, entry) {
      const { purpose, email, personId, createdAt } = link;
      const [accountId, accountRole] = [membership?.accountId ?? null, membership?.role ?? null];
      await changeWithEntry(db, entry, async (trx) => {
        // Where two links are made at once for the same person, the second revokes the first.
        await hold(trx, 'oneTimeLinks');
        await trx
          .updateTable('oneTimeLinks')
          .set({ revokedAt: createdAt })
          .where('purpose', '=', purpose)
          .where('email', 'is not distinct from', email)
          .where('personId', 'is not distinct from', personId)
          .where(isOpen(createdAt))
          .execute();
        await trx
          .insertInto('oneTimeLinks')
          .values({ ...link, accountId, accountRole })
          .execute();
      });
    },
    async findOpen(hash, at) {
      const open = db.selectFrom('oneTimeLinks').selectAll().where('hash', '=', hash).where(isOpen(at));
      const row = await open.executeTakeFirst();
      return row && toLink(row);
    },
    async listOpen(at) {
      const open = db.selectFrom('oneTimeLinks').selectAll().where(isOpen(at)).orderBy('id', 'desc');
      return (await open.execute()).map(toLink);
    },
    revoke: (id, at, entry) => changeWithEntry(db, entry, (trx) => closeLink(trx, id, 'revokedAt', at)),
    async join(link, { memberships, passwordHash, ...person }, entry) {
      const { id, createdAt } = person;
      const times = { createdAt, updatedAt: createdAt };
      try {
        return await changeWithEntry(db, entry, async (trx) => {
          if (!(await closeLink(trx, link.id, 'usedAt', createdAt))) return false;
          await trx
            .insertInto('people')
            .values({ ...person, ...times })
            .execute();
          await trx
            .insertInto('credentials')
            .values({
              id: `${id}_password`,
              personId: id,
              provider: 'credential',
              subject: id,
              password: passwordHash,
              ...times,
            })
            .execute();
          await addMemberships(trx, id, memberships);
          return true;
        });
      } catch (error) {
        // The duplicate is the email: Postern generates all other unique values itself.
        if (isDuplicate(error)) throw new AppError('email_taken', { cause: error });
        throw error;
      }
    },
    resetPassword: (link, passwordHash, entry) =>
      changeWithEntry(db, entry, async (trx) => {
        const { at } = entry;
        if (!(await closeLink(trx, link.id, 'usedAt', at))) return false;
        const personId = link.personId ?? '';
        const reset = trx
          .updateTable('credentials')
          .set({ password: passwordHash, updatedAt: at })
          .where('personId', '=', personId)
          .where('provider', '=', 'credential');
        if (!(await hasChanged(reset))) return false;
        await trx.deleteFrom('sessions').where('personId', '=', personId).execute();
        return revocations.append({ what: 'password_changed', id: personId, at });
      }),
  };
}

/** Marks a link as used or revoked. False, and nothing changed, where the link is not open at the instant. */
function closeLink(trx: Database, id: string, how: 'usedAt' | 'revokedAt', at: string) {
  return hasChanged(trx.updateTable('oneTimeLinks').set(how, at).where('id', '=', id).where(isOpen(at)));
}

function isOpen(at: string) {
  return (link: ExpressionBuilder<Schema, 'oneTimeLinks'>) =>
    link.and([link('usedAt', 'is', null), link('revokedAt', 'is', null), link('expiresAt', '>', at)]);
}

function toLink(row: Selectable<Schema['oneTimeLinks']>): OneTimeLink {
  const { accountId, accountRole, hash, usedAt, revokedAt, ...link } = row;
  const isMembership = accountId !== null && accountRole !== null;
  return { ...link, membership: isMembership ? { accountId, role: accountRole } : null };
}

export function auditTrailStore(db: Database): AuditStore {
  return {
    add: (entry) => addEntry(db, entry),
    async list({ accountIds, personId, action, subject, since, until, before, limit }) {
      let found = db.selectFrom('auditTrail').selectAll().orderBy('id', 'desc').limit(limit);
      if (accountIds !== undefined) found = found.where('accountId', 'in', anyOf(accountIds));
      if (personId !== undefined) found = found.where('personId', '=', personId);
      if (action !== undefined) found = found.where('action', '=', action);
      if (subject !== undefined) found = found.where('subject', '=', subject);
      if (since !== undefined) found = found.where('at', '>=', since);
      if (until !== undefined) found = found.where('at', '<', until);
      if (before !== undefined) found = found.where('id', '<', before);
      return (await found.execute()).map((row) => ({ ...row, detail: JSON.parse(row.detail) }));
    },
  };
}

async function addEntry(db: Database, entry: TrailEntry): Promise<void> {
  await db
    .insertInto('auditTrail')
    .values({ ...entry, detail: JSON.stringify(entry.detail) })
    .execute();
}

/** Thrown within a transaction to undo it. */
class Undone extends Error {}

/**
 * One transaction: all that `work` writes and the entry of the audit trail, if there is one. Nothing is written where `work`
 * throws, or answers false, which is then the answer.
 */
export async function changeWithEntry(
  db: Database,
  entry: TrailEntry | undefined,
  work: (trx: Database) => Promise<unknown>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      if ((await work(trx)) === false) throw new Undone();
      if (entry) await addEntry(trx, entry);
    });
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}
