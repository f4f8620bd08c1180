import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SqliteDialect } from 'kysely';

/** Kysely's SQLite dialect expects better-sqlite3's interface; this is node:sqlite in its shape. */
export function nodeSqliteDialect(database: DatabaseSync): SqliteDialect {
  // Kysely hands on what its typed queries were given, which the table types limit to these.
  const bindable = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...bindable(parameters)),
          run: (parameters) => statement.run(...bindable(parameters)),
          iterate: (parameters) => statement.iterate(...bindable(parameters)),
        };
      },
    },
  });
}
