import { createHash } from 'node:crypto';
import { messageOf } from '../../lib/thrown.ts';
import { type CopyDatabase, CopyRefused, quoted, type Row, RowFault, type Value } from './copy-database.ts';

/** Rows that are copied one after the other, in the order of their key. */
interface CopiedRows {
  /** Shown to people. */
  readonly name: string;
  readonly table: string;
  /** Columns that are unique together among these rows, and never null. */
  readonly key: readonly string[];
  /** Which rows of the table; all where it is absent. */
  readonly where?: string;
  /** Rows copied in one step, some megabytes; 500 unless given. */
  readonly rowsAtOnce?: number;
}

/** For rows that may hold all files of a rule set. */
const FEW = 20;
/** All rows in one statement: keys refer to other keys, and PostgreSQL checks references at the end of the statement. */
const ALL = Number.MAX_SAFE_INTEGER;

/** All rows that are copied. Rows come after the rows that they refer to. `checks` are copied by time, for which both have an index. */
export const COPIED: readonly CopiedRows[] = [
  { name: 'accounts', table: 'accounts', key: ['id'] },
  { name: 'api_keys', table: 'api_keys', key: ['id'], rowsAtOnce: ALL },
  { name: 'checks', table: 'checks', key: ['created_at', 'id'] },
  {
    name: 'labels of checks',
    table: 'labels',
    key: ['check_id'],
    where: 'check_id IS NOT NULL',
  },
  {
    name: 'labels of people',
    table: 'labels',
    key: ['address_hmac', 'account_id'],
    where: 'address_hmac IS NOT NULL',
  },
  { name: 'usage', table: 'usage', key: ['account_id', 'month'] },
  { name: 'check_hours', table: 'check_hours', key: ['account_id', 'hour'] },
  { name: 'people', table: 'people', key: ['id'] },
  { name: 'memberships', table: 'memberships', key: ['person_id', 'account_id'] },
  { name: 'credentials', table: 'credentials', key: ['id'] },
  { name: 'sessions', table: 'sessions', key: ['id'] },
  { name: 'one_time_links', table: 'one_time_links', key: ['id'] },
  { name: 'audit_trail', table: 'audit_trail', key: ['id'] },
  { name: 'rule_texts', table: 'rule_texts', key: ['digest'], rowsAtOnce: FEW },
  { name: 'rule_versions', table: 'rule_versions', key: ['version'] },
  { name: 'rule_announcements', table: 'rule_announcements', key: ['digest'] },
  { name: 'rule_complaint', table: 'rule_complaint', key: ['id'] },
  { name: 'rule_drafts', table: 'rule_drafts', key: ['id'], rowsAtOnce: FEW },
  { name: 'provider_values', table: 'provider_values', key: ['provider', 'key'] },
  // Secrets go to where the target looks for them, which may be a file.
  {
    name: 'service_state',
    table: 'service_state',
    key: ['name'],
    where: "name NOT IN ('hmac_secret', 'session_secret', 'unfinished_copy')",
  },
];

/** Tables that belong to one database alone, and those of downloaded lists, which `copyLists` copies. */
export const NOT_COPIED: readonly string[] = ['migrations', 'downloaded_lists', 'list_snapshots'];

const ROWS_AT_ONCE = 500;

/** Moves PostgreSQL's sequence behind the copied version numbers; SQLite does so by itself on insert. */
const CONTINUE_NUMBERS = `SELECT setval(pg_get_serial_sequence('rule_versions', 'version'), max(version))
  FROM rule_versions HAVING count(*) > 0`;

/** The digests of one kind of rows in both databases: equal where the copy is good. */
export interface Compared {
  readonly name: string;
  readonly from: Digest;
  readonly to: Digest;
}

interface Digest {
  readonly rows: number;
  /** SHA-256 of the rows in the order of their key, a line of JSON each: the same in either database. */
  readonly sha256: string;
}

/** Called with the number of rows that were just copied or compared. */
export type OnRows = (rows: number) => void;

/** Prepares the target. Resolves to true where an earlier copy goes on. Throws CopyRefused where the target holds other data. */
export async function beginCopy(source: CopyDatabase, target: CopyDatabase): Promise<boolean> {
  for (const { table } of COPIED) {
    const [from, to] = [await source.columnsOf(table), await target.columnsOf(table)];
    if (from.join() !== to.join()) throw new CopyRefused(`${table} has other columns in ${target.name}`);
  }
  const [begun] = await target.query("SELECT value FROM service_state WHERE name = 'unfinished_copy'");
  if (begun?.value === source.name) return true;
  if (begun) throw new CopyRefused(`${target.name} holds part of a copy of ${begun.value}`);
  const filled = new Set<string>();
  for (const { table } of COPIED) {
    const [row] = await target.query(`SELECT 1 AS found FROM ${quoted(table)} LIMIT 1`);
    if (row) filled.add(table);
  }
  if (filled.size > 0) {
    throw new CopyRefused(
      `${target.name} holds other data (${[...filled].join(', ')}): a copy goes into a database that is empty or not there`,
    );
  }
  await target.query("INSERT INTO service_state (name, value) VALUES ('unfinished_copy', ?)", [source.name]);
  return false;
}

/** Copies the missing rows: of each kind those behind the last that the target has, so that a copy that was killed goes on. */
export async function copyRows(source: CopyDatabase, target: CopyDatabase, onRows: OnRows): Promise<void> {
  for (const part of COPIED) {
    const columns = await source.columnsOf(part.table);
    await naming(part, async () => {
      for await (const rows of pagesOf(source, part, columns, await lastKeyIn(target, part))) {
        await insert(target, part, columns, rows);
        onRows(rows.length);
      }
    });
  }
  if (target.kind === 'postgres') await target.query(CONTINUE_NUMBERS);
}

async function lastKeyIn(
  target: CopyDatabase,
  { table, key, where = '1 = 1' }: CopiedRows,
): Promise<readonly Value[] | undefined> {
  const order = key.map((column) => `${quoted(column)} DESC`).join(', ');
  const [last] = await target.query(
    `SELECT ${key.map(quoted).join(', ')} FROM ${quoted(table)} WHERE ${where} ORDER BY ${order} LIMIT 1`,
  );
  return last && valuesOf(last, key);
}

function valuesOf(row: Row, columns: readonly string[]): readonly Value[] {
  return columns.map((column) => row[column] ?? null);
}

/** Reads all rows of both databases and returns the digests of each kind of rows. */
export async function compareRows(
  source: CopyDatabase,
  target: CopyDatabase,
  onRows: OnRows,
): Promise<readonly Compared[]> {
  const compared: Compared[] = [];
  for (const part of COPIED) {
    const [from, to] = await naming(part, () =>
      Promise.all([digestOf(source, part, onRows), digestOf(target, part, () => undefined)]),
    );
    compared.push({ name: part.name, from, to });
  }
  return compared;
}

/** Deletes the record of the copy: the target is a database like any other from now on. */
export async function endCopy(target: CopyDatabase): Promise<void> {
  await target.query("DELETE FROM service_state WHERE name = 'unfinished_copy'");
}

/** How many rows the copied tables hold. */
export async function countRows(database: CopyDatabase): Promise<number> {
  let rows = 0;
  for (const table of new Set(COPIED.map((part) => part.table))) {
    const [counted] = await database.query(`SELECT count(*) AS found FROM ${quoted(table)}`);
    rows += Number(counted?.found);
  }
  return rows;
}

async function naming<Result>({ name }: CopiedRows, work: () => Promise<Result>): Promise<Result> {
  return await work().catch((error: unknown) => {
    throw error instanceof CopyRefused ? new CopyRefused(`${name}: ${error.message}`) : error;
  });
}

async function* pagesOf(
  database: CopyDatabase,
  { table, key, where = '1 = 1', rowsAtOnce = ROWS_AT_ONCE }: CopiedRows,
  columns: readonly string[],
  after?: readonly Value[],
): AsyncGenerator<readonly Row[]> {
  const order = key.map(quoted).join(', ');
  const select = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} WHERE ${where}`;
  const end = `ORDER BY ${order} LIMIT ${rowsAtOnce}`;
  const behind = `AND (${order}) > (${key.map(() => '?').join(', ')})`;
  for (let last = after; ; ) {
    const rows = await database.query(last ? `${select} ${behind} ${end}` : `${select} ${end}`, last);
    const lastRow = rows.at(-1);
    if (!lastRow) return;
    yield rows;
    last = valuesOf(lastRow, key);
  }
}

async function insert(
  target: CopyDatabase,
  part: CopiedRows,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  try {
    await target.insert(part.table, columns, rows);
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    const [row, another] = rows;
    if (row && !another) {
      const key = JSON.stringify(valuesOf(row, part.key));
      throw new CopyRefused(`the row ${key} cannot be written: ${messageOf(error)}`);
    }
    // Row by row, so that the error names the row at fault.
    for (const one of rows) await insert(target, part, columns, [one]);
  }
}

async function digestOf(
  database: CopyDatabase,
  part: CopiedRows,
  onRead: (rows: number) => void,
): Promise<Digest> {
  const columns = await database.columnsOf(part.table);
  const digest = createHash('sha256');
  let found = 0;
  for await (const rows of pagesOf(database, part, columns)) {
    for (const row of rows)
      digest.update(`${JSON.stringify(columns.map((column) => canonical(row[column])))}\n`);
    found += rows.length;
    onRead(rows.length);
  }
  return { rows: found, sha256: digest.digest('hex') };
}

function canonical(value: Value | undefined) {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
