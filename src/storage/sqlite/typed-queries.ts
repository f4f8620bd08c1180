import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { nodeSqliteDialect } from './kysely-node-sqlite.ts';
import type { Schema } from './schema.ts';

/** Reads execute on the reader; writes are compiled and given to `Connections.write`. */
export interface TypedQueries {
  readonly query: Kysely<Schema>;
  readonly sql: typeof sql;
}

export function typedQueries(reader: DatabaseSync): TypedQueries {
  return { query: new Kysely<Schema>({ dialect: nodeSqliteDialect(reader) }), sql };
}
