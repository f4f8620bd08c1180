import { Readable } from 'node:stream';
import { injectable } from '../../../di.ts';
import {
  type CheckFilter,
  type CheckSearch,
  type FoundChecks,
  LISTED_COLUMNS,
  type ListedCheck,
} from '../../../insights/insights-queries.ts';
import { type Asking, busy } from '../../../jobs/job-queue.ts';
import { linesOfCsv } from '../../../lib/csv-lines.ts';

/** Files that one person may save at once: nothing else limits what is read after the first page. */
export const MOST_EXPORTS = 2;

/** Reads one page of a search. `asking` replaces the request's own. */
export type PagedSearch = (asked: CheckSearch, asking?: Asking) => Promise<FoundChecks>;

@injectable()
export class CheckExports {
  /** The ids of the people to whom files are being sent, once for each file. */
  readonly #exporting: (string | undefined)[] = [];

  /** CSV. Refusals come before the first byte. Later pages wait as an asker of their own: the person's other questions cannot end the file. */
  async begin(filter: CheckFilter, asking: Asking, search: PagedSearch): Promise<Readable> {
    const { asker: id } = asking;
    const goingOn = { ...asking, asker: `${id} goes on` };
    if (this.#exporting.filter((other) => other === id).length >= MOST_EXPORTS) {
      throw busy(`${MOST_EXPORTS} of your own files are being saved already, perhaps in other tabs.`);
    }
    this.#exporting.push(id);
    const end = () => void this.#exporting.splice(this.#exporting.indexOf(id), 1);
    try {
      const file = await exportChecks((after, limit) =>
        search({ ...filter, after, limit }, after === undefined ? asking : goingOn),
      );
      // `close` comes at the file's end, after an error, and when the client leaves.
      return Readable.from(file).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Rows of a file: as many as spreadsheets open without trouble; reading them takes half a minute. */
const MOST_EXPORTED = 100_000;
/** Rows that are read at once: a tenth of a second. */
const EXPORTED_AT_ONCE = 1_000;

const COLUMNS = [...LISTED_COLUMNS, 'label', 'person'] as const;

type Search = (after: string | undefined, limit: number) => Promise<FoundChecks>;

/** CSV. Reads each page when the page before was sent. Rejects where the first page is refused; a later error visibly cuts the file short. */
export async function exportChecks(search: Search, mostExported = MOST_EXPORTED) {
  return writeFile(search, mostExported, await search(undefined, Math.min(mostExported, EXPORTED_AT_ONCE)));
}

async function* writeFile(search: Search, mostExported: number, first: FoundChecks): AsyncGenerator<string> {
  yield linesOfCsv([[...COLUMNS, 'rules', 'unknown']]);
  let page = first;
  for (let left = mostExported; ; ) {
    if (page.checks.length > 0) yield linesOfCsv(page.checks.map(cellsOf));
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
