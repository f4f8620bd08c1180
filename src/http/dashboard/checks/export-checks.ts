import { stringify } from 'csv-stringify/sync';
import type { FoundChecks, ListedCheck } from '../../../insights/insights-queries.ts';
import { guardCell } from '../../../lib/row-file.ts';

/** What a spreadsheet opens at ease, and half a minute of reading. */
const MOST_EXPORTED = 100_000;
/** Rows of a page: a tenth of a second. */
const EXPORTED_AT_ONCE = 1_000;

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

type Search = (after: string | undefined, limit: number) => Promise<FoundChecks>;

/**
 * Checks as CSV, page by page; `search` is asked for the next when the one before has been taken. Rejects where the first page
 * is refused. What is thrown later breaks the file off: whoever wrote its last line as if it were whole would have lost checks.
 */
export async function exportChecks(
  search: Search,
  mostExported = MOST_EXPORTED,
): Promise<AsyncIterable<string>> {
  return writeFile(search, mostExported, await search(undefined, Math.min(mostExported, EXPORTED_AT_ONCE)));
}

async function* writeFile(search: Search, mostExported: number, first: FoundChecks): AsyncGenerator<string> {
  yield linesOf([[...COLUMNS, 'rules', 'unknown']]);
  let page = first;
  for (let left = mostExported; ; ) {
    if (page.checks.length > 0) yield linesOf(page.checks.map(cellsOf));
    left -= page.checks.length;
    if (page.next === null || left <= 0) return;
    page = await search(page.next, Math.min(left, EXPORTED_AT_ONCE));
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
