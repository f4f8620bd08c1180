import type { AccountRole, OperatorRole } from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';
import type { LinkPurpose, LinkStore, NewLink, NewPerson, OneTimeLink, TrailEntry } from '../people-ports.ts';
import type { Connections, Statement } from './connections.ts';
import type { OneTimeLinksTable } from './schema.ts';
import { isRowFault } from './sqlite-fault.ts';
import { membershipStatement } from './sqlite-people-store.ts';
import { trailStatements } from './trail-statements.ts';

const IS_OPEN = 'used_at IS NULL AND revoked_at IS NULL AND expires_at > ?';

/** Plain SQL where the first start needs it, which Kysely would not be loaded for. */
export class SqliteLinkStore implements LinkStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async hasAny(purpose: LinkPurpose): Promise<boolean> {
    const { reader } = this.#connections;
    return (
      reader.prepare('SELECT 1 FROM one_time_links WHERE purpose = ? LIMIT 1').get(purpose) !== undefined
    );
  }

  async create(link: NewLink, entry: TrailEntry): Promise<void> {
    const { id, purpose, hash, email, personId, operatorRole, membership } = link;
    await this.#connections.writeAll([
      {
        sql: `UPDATE one_time_links SET revoked_at = ? WHERE purpose = ? AND email IS ? AND person_id IS ? AND ${IS_OPEN}`,
        parameters: [link.createdAt, purpose, email, personId, link.createdAt],
        mayChangeNothing: true,
      },
      {
        sql: 'INSERT INTO one_time_links (id, purpose, hash, email, person_id, operator_role, account_id, account_role, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        parameters: [
          id,
          purpose,
          hash,
          email,
          personId,
          operatorRole,
          ...[membership?.accountId ?? null, membership?.role ?? null],
          link.createdBy,
          link.createdAt,
          link.expiresAt,
        ],
      },
      ...trailStatements(entry),
    ]);
  }

  async findOpen(hash: Uint8Array, at: string): Promise<OneTimeLink | undefined> {
    const found = this.#connections.reader.prepare(
      `SELECT * FROM one_time_links WHERE hash = ? AND ${IS_OPEN}`,
    );
    const row = found.get(hash, at);
    return row && toLink(row as unknown as OneTimeLinksTable);
  }

  async listOpen(at: string): Promise<readonly OneTimeLink[]> {
    const found = this.#connections.reader.prepare(
      `SELECT * FROM one_time_links WHERE ${IS_OPEN} ORDER BY id DESC`,
    );
    return found.all(at).map((row) => toLink(row as unknown as OneTimeLinksTable));
  }

  revoke(id: string, at: string, entry: TrailEntry): Promise<boolean> {
    return this.#connections.writeAll([
      {
        sql: `UPDATE one_time_links SET revoked_at = ? WHERE id = ? AND ${IS_OPEN}`,
        parameters: [at, id, at],
      },
      ...trailStatements(entry),
    ]);
  }

  async join(link: OneTimeLink, person: NewPerson, entry: TrailEntry): Promise<boolean> {
    const { id, email, name, operatorRole, createdAt, passwordHash } = person;
    try {
      return await this.#connections.writeAll([
        spend(link, createdAt),
        {
          sql: 'INSERT INTO people (id, email, name, operator_role, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
          parameters: [id, email, name, operatorRole, createdAt, createdAt],
        },
        {
          sql: "INSERT INTO credentials (id, person_id, provider, subject, password, created_at, updated_at) VALUES (?, ?, 'credential', ?, ?, ?, ?)",
          parameters: [`${id}_password`, id, id, passwordHash, createdAt, createdAt],
        },
        ...person.memberships.map(({ accountId, role }) => membershipStatement(id, accountId, role)),
        ...trailStatements(entry),
      ]);
    } catch (error) {
      // Of all that is unique only the email is not ours to make.
      if (isRowFault(error)) throw new AppError('email_taken', { cause: error });
      throw error;
    }
  }

  resetPassword(
    link: OneTimeLink,
    { passwordHash, at }: { readonly passwordHash: string; readonly at: string },
    entry: TrailEntry,
  ): Promise<boolean> {
    return this.#connections.writeAll([
      spend(link, at),
      {
        sql: "UPDATE credentials SET password = ?, updated_at = ? WHERE person_id = ? AND provider = 'credential'",
        parameters: [passwordHash, at, link.personId],
      },
      {
        sql: 'DELETE FROM sessions WHERE person_id = ?',
        parameters: [link.personId],
        mayChangeNothing: true,
      },
      ...trailStatements(entry),
    ]);
  }
}

function spend({ id }: OneTimeLink, at: string): Statement {
  return {
    sql: `UPDATE one_time_links SET used_at = ? WHERE id = ? AND ${IS_OPEN}`,
    parameters: [at, id, at],
  };
}

function toLink(row: OneTimeLinksTable): OneTimeLink {
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
