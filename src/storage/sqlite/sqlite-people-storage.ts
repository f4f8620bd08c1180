import type { Dialect } from 'kysely';
import type { PeopleStorage } from '../people-ports.ts';
import type { Connections } from './connections.ts';
import { SqliteAuditStore } from './sqlite-audit-store.ts';
import { SqliteLinkStore } from './sqlite-link-store.ts';
import { SqlitePeopleStore } from './sqlite-people-store.ts';

export class SqlitePeopleStorage implements PeopleStorage {
  readonly people: SqlitePeopleStore;
  readonly links: SqliteLinkStore;
  readonly trail: SqliteAuditStore;
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.people = new SqlitePeopleStore(connections);
    this.links = new SqliteLinkStore(connections);
    this.trail = new SqliteAuditStore(connections);
    this.#connections = connections;
  }

  /** Kysely is loaded for it: a service whose dashboard nobody opens never asks. */
  async sessionDialect(): Promise<Dialect> {
    const { writerDialect } = await import('./writer-dialect.ts');
    return writerDialect(this.#connections);
  }
}
