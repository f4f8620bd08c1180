import { sql } from 'kysely';
import type { HoldTable } from '../shared/schema.ts';

/** Waits for those who change the table, and holds off those who come; readers go on. */
export const holdTable: HoldTable = (trx, table) =>
  sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
