import { stringify } from 'csv-stringify/sync';
import type { FoundChecks, ListedCheck } from '../../../insights/questions.ts';
import { guardCell } from '../../../row-files/guard-cell.ts';

/** What a spreadsheet opens at ease, and half a minute of reading. */
export const MOST_EXPORTED = 100_000;
/** Rows of a page: a tenth of a second. */
export const EXPORTED_AT_ONCE = 1_000;

const COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'environment',
  'action',
  'risk_score',
  'risk_level',
  'ruleset',
  'domain',
  'address',
  'duration_us',
  'label',
] as const satisfies readonly (keyof ListedCheck)[];

/** Checks as CSV, page by page; `search` is asked for the next when the one before has been taken. */
export async function* exportChecks(
  search: (after: string | undefined, limit: number) => Promise<FoundChecks>,
  mostExported = MOST_EXPORTED,
): AsyncGenerator<string> {
  yield linesOf([[...COLUMNS, 'rules', 'unknown']]);
  let after: string | undefined;
  for (let left = mostExported; left > 0; ) {
    const { checks, next } = await search(after, Math.min(left, EXPORTED_AT_ONCE));
    if (checks.length > 0) yield linesOf(checks.map(cellsOf));
    left -= checks.length;
    if (next === null) return;
    after = next;
  }
}

function cellsOf(check: ListedCheck): readonly string[] {
  return [
    ...COLUMNS.map((column) => String(check[column] ?? '')),
    check.rules.map(({ id, points }) => `${id}:${points}`).join(' '),
    check.unknown.join(' '),
  ];
}

function linesOf(rows: readonly (readonly string[])[]): string {
  // Some programs end a line at a lone CR.
  return stringify(
    rows.map((row) => row.map(guardCell)),
    { quoted_match: /\r/ },
  );
}
