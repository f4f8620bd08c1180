import type { DatabaseSync } from 'node:sqlite';

/** After a failure; a full disk may have rolled back already (sqlite.org/lang_transaction.html, 2.2). Erasable TypeScript. */
export function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
