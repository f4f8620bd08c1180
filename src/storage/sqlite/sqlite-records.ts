import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Parameter, ReplayDatabase, Values } from '../shared/records-database.ts';

/** Statements that are kept compiled: those of searches are as many as there are filters. */
const MOST_STATEMENTS = 50;

/** Over a connection that only reads. Each query is answered before the call returns: the process does nothing else. */
export function sqliteRecords(reader: DatabaseSync): ReplayDatabase {
  const statements = new LRUCache<string, StatementSync>({
    max: MOST_STATEMENTS,
    memoMethod: (sql) => reader.prepare(sql),
  });
  const statementOf = (sql: string, isOfArrays: boolean) => {
    const statement = statements.memo(sql);
    statement.setReturnArrays(isOfArrays);
    return statement;
  };
  // The tables are strict: what comes back is what was written.
  return {
    dialect: 'sqlite',
    all: async <Row>(sql: string, ...parameters: readonly Parameter[]) =>
      statementOf(sql, false).all(...parameters) as readonly unknown[] as readonly Row[],
    arrays: async (sql, ...parameters) =>
      statementOf(sql, true).all(...parameters) as readonly unknown[] as readonly Values[],
    close: () => reader.close(),
  };
}
