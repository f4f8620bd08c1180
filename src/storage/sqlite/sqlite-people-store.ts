import type { AccountRole, OperatorRole, Person } from '../../accounts/person.ts';
import type { PeopleStore, Roles, TrailEntry } from '../people-ports.ts';
import type { Connections, Statement } from './connections.ts';
import type { MembershipsTable, PeopleTable } from './schema.ts';
import { trailStatements } from './trail-statements.ts';

/** Holds while another owner is left. */
const OTHER_OWNER = "(SELECT count(*) FROM people WHERE operator_role = 'owner' AND id <> ?) > 0";

export class SqlitePeopleStore implements PeopleStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async hasAny(): Promise<boolean> {
    return this.#connections.reader.prepare('SELECT 1 FROM people LIMIT 1').get() !== undefined;
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
    return this.#connections.writeAll([
      {
        sql: `UPDATE people SET operator_role = ?, updated_at = ? WHERE id = ? AND (? = 'owner' OR operator_role IS NOT 'owner' OR ${OTHER_OWNER})`,
        parameters: [operatorRole, entry.at, id, operatorRole, id],
      },
      { sql: 'DELETE FROM memberships WHERE person_id = ?', parameters: [id], mayChangeNothing: true },
      ...memberships.map(({ accountId, role }) => membershipStatement(id, accountId, role)),
      ...(operatorRole === 'owner' ? [] : [revokeLinksOf(id, entry.at)]),
      ...trailStatements(entry),
    ]);
  }

  remove(id: string, entry: TrailEntry): Promise<boolean> {
    return this.#connections.writeAll([
      {
        sql: `DELETE FROM people WHERE id = ? AND (operator_role IS NOT 'owner' OR ${OTHER_OWNER})`,
        parameters: [id, id],
      },
      revokeLinksOf(id, entry.at),
      ...trailStatements(entry),
    ]);
  }

  async deleteEndedSessions(at: string): Promise<void> {
    const { reader } = this.#connections;
    const ended = reader.prepare('SELECT 1 FROM sessions WHERE expires_at <= ? LIMIT 1').get(at);
    // Spares the commit where there is nothing to delete.
    if (!ended) return;
    await this.#connections.write({ sql: 'DELETE FROM sessions WHERE expires_at <= ?', parameters: [at] });
  }

  async #select(by: { readonly id?: string; readonly email?: string }): Promise<readonly Person[]> {
    const { query } = await this.#connections.typed();
    let people = query
      .selectFrom('people')
      .select(['id', 'email', 'name', 'operator_role', 'created_at', 'updated_at'])
      .orderBy('id');
    if (by.id !== undefined) people = people.where('id', '=', by.id);
    if (by.email !== undefined) people = people.where('email', '=', by.email);
    const rows = await people.execute();
    const ids = rows.map(({ id }) => id);
    const memberships = await query
      .selectFrom('memberships')
      .selectAll()
      .where('person_id', 'in', ids)
      .orderBy('account_id')
      .execute();
    return rows.map((row) => toPerson(row, memberships));
  }
}

/** Makes a person a member of an account. */
export function membershipStatement(personId: string, accountId: string, role: AccountRole): Statement {
  return {
    sql: 'INSERT INTO memberships (person_id, account_id, role) VALUES (?, ?, ?)',
    parameters: [personId, accountId, role],
  };
}

function toPerson(row: PeopleTable, memberships: readonly MembershipsTable[]): Person {
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

/** What an owner has handed out ends with their being one: it would let in whom they like. */
function revokeLinksOf(personId: string, at: string): Statement {
  return {
    sql: 'UPDATE one_time_links SET revoked_at = ? WHERE created_by = ? AND used_at IS NULL AND revoked_at IS NULL',
    parameters: [at, personId],
    mayChangeNothing: true,
  };
}
