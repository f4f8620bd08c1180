import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { AuditTrail } from '../../../accounts/audit-trail.ts';
import type { Person } from '../../../accounts/person.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { requireAddress } from '../../../checks/assessor.ts';
import { NOT_RECORDED, parseRecord, recordedFacts } from '../../../checks/check-record.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import {
  type CheckFilter,
  type CheckSearch,
  type FoundChecks,
  INSIGHTS,
  type InsightsQueries,
  type ListedCheck,
  type WholeCheck,
} from '../../../insights/insights-queries.ts';
import { busy } from '../../../jobs/job-queue.ts';
import type { Label } from '../../../labels/label.ts';
import { isoTime } from '../../../lib/dates.ts';
import { guardCell } from '../../../lib/row-file.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { ADDRESS_PRIVACY, type AddressPrivacy } from '../../../privacy/address-privacy.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import { LABEL_STORE, type LabelStore } from '../../../storage/label-ports.ts';
import { KEY_STORE, type KeyStore } from '../../../storage/ports.ts';
import { askerOf, type Reader } from '../ask-insights.ts';
import { presentExplanation, presentFound, presentWhole } from './checks.presenter.ts';
import { LISTED } from './checks.schema.ts';

/** As `labels list` shows where a label came from. */
const SOURCE = 'dashboard';

/** A check of this account; of any account where none is named. */
interface CheckPlace {
  readonly id: string;
  readonly accountId: string | undefined;
}

@injectable()
export class CheckServices {
  /** The ids of the people to whom files are being sent, once for each file. */
  readonly #exporting: string[] = [];

  constructor(
    @inject(INSIGHTS) private readonly insights: InsightsQueries,
    @inject(LABEL_STORE) private readonly labels: LabelStore,
    @inject(KEY_STORE) private readonly keys: KeyStore,
    @inject(ADDRESS_PRIVACY) private readonly privacy: AddressPrivacy,
    @inject(ACTIVE_POLICY) private readonly policies: ActivePolicy,
    @inject(SignalCollector) private readonly collector: SignalCollector,
    @inject(AuditTrail) private readonly trail: AuditTrail,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  async search(filter: CheckFilter, { after, limit }: Pick<CheckSearch, 'after' | 'limit'>, reader: Reader) {
    return presentFound(await this.insights.ask('search', { ...filter, after, limit }, askerOf(reader)));
  }

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

  /** The hash by which records are found, under every mode of privacy. Throws AppError `unparseable_email`. */
  person(email: string) {
    const { address } = requireAddress(email).canonical;
    return { person: this.privacy.hmac(address), canonical: address };
  }

  /** Throws AppError `not_found`. */
  async show(place: CheckPlace, reader: Reader & { readonly person: Person }) {
    const whole = await this.#find(place, reader);
    return presentWhole(whole, {
      isOperator: reader.person.operatorRole !== null,
      catalogue: this.collector.catalogue,
      key: await this.keys.find(whole.row.key_id),
    });
  }

  /** What the rules in force make of it. Throws AppError `not_found`. */
  async explain(place: CheckPlace, reader: Reader) {
    const { row } = await this.#find(place, reader);
    const { catalogue } = this.collector;
    const { facts, unknown } = recordedFacts(parseRecord(row), catalogue);
    const { ruleSet } = this.policies.current;
    const asked = { ruleSet, known: catalogue.facts, facts };
    const explained = await this.insights.ask('explain', asked, askerOf(reader));
    const missing = Object.keys(unknown).filter((fact) => unknown[fact] === NOT_RECORDED);
    return presentExplanation(explained, facts, missing);
  }

  /** Throws AppError `not_found`, also for a check of a test key: those take no labels. */
  async label(
    { id, accountId }: { id: string; accountId: string },
    label: Label,
    person: Person,
  ): Promise<void> {
    const at = isoTime(this.clock.now());
    const given = { subject: { checkId: id }, label, source: SOURCE, author: person.email, labelledAt: at };
    const { absent } = await this.labels.put(accountId, [given], at);
    if (absent > 0) throw new AppError('not_found');
    await this.trail.record({ person, action: 'check.labelled', subject: id, accountId, detail: { label } });
  }

  /** Throws AppError `not_found` where the check has no label of its own. */
  async unlabel({ id, accountId }: { id: string; accountId: string }, person: Person): Promise<void> {
    if (!(await this.labels.remove(accountId, { checkId: id }))) throw new AppError('not_found');
    await this.trail.record({ person, action: 'check.label_removed', subject: id, accountId });
  }

  async #find(place: CheckPlace, reader: Reader): Promise<WholeCheck> {
    const whole = await this.insights.ask('check', place, askerOf(reader));
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
