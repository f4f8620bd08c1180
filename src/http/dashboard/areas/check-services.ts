import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { AuditTrail } from '../../../accounts/audit-trail.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import {
  type CheckFilter,
  type FoundChecks,
  INSIGHTS,
  type InsightsQueries,
  type ListedCheck,
  type WholeCheck,
} from '../../../insights/insights-queries.ts';
import { busy } from '../../../jobs/job-queue.ts';
import { guardCell } from '../../../lib/row-file.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { ADDRESS_PRIVACY, type AddressPrivacy } from '../../../privacy/address-privacy.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import { LABEL_STORE, type LabelStore } from '../../../storage/label-ports.ts';
import { KEY_STORE, type KeyStore } from '../../../storage/ports.ts';
import { askerOf, type Reader } from '../ask-insights.ts';
import { LISTED } from './checks.schema.ts';

@injectable()
export class CheckServices {
  /** The ids of the people to whom files are being sent, once for each file. */
  readonly #exporting: string[] = [];

  constructor(
    @inject(INSIGHTS) readonly insights: InsightsQueries,
    @inject(LABEL_STORE) readonly labels: LabelStore,
    @inject(KEY_STORE) readonly keys: KeyStore,
    @inject(ADDRESS_PRIVACY) readonly privacy: AddressPrivacy,
    @inject(ACTIVE_POLICY) readonly policies: ActivePolicy,
    @inject(SignalCollector) readonly collector: SignalCollector,
    @inject(AuditTrail) readonly trail: AuditTrail,
    @inject(CLOCK) readonly clock: Clock,
  ) {}

  /**
   * As CSV. A faulty filter, and too many requests at once, are refused before the first byte. A file that has begun goes on
   * however many pages the same person asks for meanwhile.
   */
  async export(filter: CheckFilter, reader: Reader): Promise<Readable> {
    const { id } = reader.person;
    if (this.#exporting.filter((other) => other === id).length >= MOST_EXPORTS) {
      throw busy(`${MOST_EXPORTS} of your own files are being saved already, perhaps in other tabs.`);
    }
    this.#exporting.push(id);
    const end = () => void this.#exporting.splice(this.#exporting.indexOf(id), 1);
    try {
      const file = await exportChecks((after, limit) =>
        this.insights.ask(
          'search',
          { ...filter, after, limit },
          { ...askerOf(reader), goesOn: after !== undefined },
        ),
      );
      // At its end, after an error, and when the client leaves.
      return Readable.from(file).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Of any account where none is named. Throws AppError `not_found`. */
  async find(id: string, accountId: string | undefined, reader: Reader): Promise<WholeCheck> {
    const whole = await this.insights.ask('check', { id, accountId }, askerOf(reader));
    if (whole === null) throw new AppError('not_found');
    return whole;
  }
}

/** What spreadsheets open without trouble; takes half a minute to read. */
const MOST_EXPORTED = 100_000;
/** Rows that are read at once: a tenth of a second. */
const EXPORTED_AT_ONCE = 1_000;

const COLUMNS = [...Object.keys(LISTED), 'label'] as (keyof typeof LISTED | 'label')[];

type Search = (after: string | undefined, limit: number) => Promise<FoundChecks>;

/**
 * Checks as CSV, page by page; `search` is asked for the next page when the one before has been sent. Rejects where the first page
 * is refused. A later error ends the connection early, so that a file that lacks checks never looks complete.
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

/** Files that one person may save at once: nothing else limits what is read after the first page. */
export const MOST_EXPORTS = 2;
