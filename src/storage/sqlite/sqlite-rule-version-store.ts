import { createHash } from 'node:crypto';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { RuleAnnouncement, RuleComplaint, RuleVersion, RuleVersionStore } from '../rule-ports.ts';
import type { Connections, Statement } from './connections.ts';

const COLUMNS = 'version, hash, digest, reason, at, author, restores';

/** Plain SQL: the service stores a version soon after its start, and Kysely would be loaded for it. */
export class SqliteRuleVersionStore implements RuleVersionStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async last(): Promise<RuleVersion | undefined> {
    return this.#first(
      `SELECT ${COLUMNS} FROM rule_versions WHERE reason <> 'draft' ORDER BY version DESC LIMIT 1`,
    );
  }

  async add(version: Omit<RuleVersion, 'version'>, files: RuleFiles): Promise<RuleVersion> {
    const { hash, digest, at } = version;
    const announced = version.reason === 'draft' ? undefined : this.#announced(digest);
    const { reason, author, restores } = announced ?? version;
    const digests = Object.entries(files).map(([path, text]) => [path, digestOf(text), text] as const);
    await this.#connections.writeAll([
      // The update changes nothing, and counts as a change: all of these hold, or none.
      ...digests.map(([, id, text]) =>
        statement(
          'INSERT INTO rule_texts (digest, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest',
          id,
          text,
        ),
      ),
      statement(
        'INSERT INTO rule_versions (hash, digest, reason, at, author, restores, files) VALUES (?, ?, ?, ?, ?, ?, ?)',
        hash,
        digest,
        reason,
        at,
        author,
        restores,
        JSON.stringify(Object.fromEntries(digests.map(([path, id]) => [path, id]))),
      ),
      ...(announced ? [statement('DELETE FROM rule_announcements WHERE digest = ?', digest)] : []),
    ]);
    const added = this.#first(
      `SELECT ${COLUMNS} FROM rule_versions WHERE digest = ? ORDER BY version DESC LIMIT 1`,
      digest,
    );
    if (!added) throw new Error('a rule version that was committed is not there');
    return added;
  }

  async list(): Promise<readonly RuleVersion[]> {
    const rows = this.#connections.reader.prepare(
      `SELECT ${COLUMNS} FROM rule_versions ORDER BY version DESC`,
    );
    // The table is strict: what comes back is what was written.
    return rows.all().map((row) => ({ ...row }) as unknown as RuleVersion);
  }

  async filesOf(version: number): Promise<RuleFiles | undefined> {
    const { reader } = this.#connections;
    const row = reader.prepare('SELECT files FROM rule_versions WHERE version = ?').get(version);
    if (!row) return undefined;
    const text = reader.prepare('SELECT text FROM rule_texts WHERE digest = ?');
    const digests = Object.entries<string>(JSON.parse(String(row.files)));
    return Object.fromEntries(digests.map(([path, id]) => [path, String(text.get(id)?.text)]));
  }

  async announce({ digest, author, restores }: RuleAnnouncement): Promise<void> {
    await this.#connections.write(
      statement(
        'INSERT OR REPLACE INTO rule_announcements (digest, author, restores) VALUES (?, ?, ?)',
        digest,
        author,
        restores,
      ),
    );
  }

  async withdraw(digest: string): Promise<void> {
    await this.#connections.write(statement('DELETE FROM rule_announcements WHERE digest = ?', digest));
  }

  async complain(complaint: RuleComplaint | null): Promise<void> {
    if (complaint === null) {
      await this.#connections.write(statement('DELETE FROM rule_complaint'));
      return;
    }
    const { kind, at, digest, faults } = complaint;
    await this.#connections.write(
      statement(
        'INSERT OR REPLACE INTO rule_complaint (id, kind, at, digest, faults) VALUES (1, ?, ?, ?, ?)',
        kind,
        at,
        digest,
        JSON.stringify(faults),
      ),
    );
  }

  async complaint(): Promise<RuleComplaint | undefined> {
    const row = this.#connections.reader.prepare('SELECT kind, at, digest, faults FROM rule_complaint').get();
    return row && ({ ...row, faults: JSON.parse(String(row.faults)) } as unknown as RuleComplaint);
  }

  #announced(digest: string): Pick<RuleVersion, 'reason' | 'author' | 'restores'> | undefined {
    const row = this.#connections.reader
      .prepare('SELECT author, restores FROM rule_announcements WHERE digest = ?')
      .get(digest);
    if (!row) return undefined;
    const restores = row.restores === null ? null : Number(row.restores);
    return { author: String(row.author), restores, reason: restores === null ? 'change' : 'rollback' };
  }

  #first(sql: string, ...parameters: readonly string[]): RuleVersion | undefined {
    const row = this.#connections.reader.prepare(sql).get(...parameters);
    return row && ({ ...row } as unknown as RuleVersion);
  }
}

function statement(sql: string, ...parameters: readonly (string | number | null)[]): Statement {
  return { sql, parameters };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
