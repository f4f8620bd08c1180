import { Readable } from 'node:stream';
import { AuditTrail } from '../../../accounts/people/audit-trail.ts';
import type { Person } from '../../../accounts/people/person.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { NOT_RECORDED, parseRecord, recordedFacts } from '../../../checks/check-record.ts';
import { inject, injectable } from '../../../di.ts';
import { readAddress } from '../../../email/read-address.ts';
import { AppError } from '../../../errors.ts';
import {
  type CheckFilter,
  INSIGHTS,
  type InsightsQueries,
  type WholeCheck,
} from '../../../insights/insights-queries.ts';
import type { Label } from '../../../labels/label.ts';
import { isoTime } from '../../../lib/dates.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { ADDRESS_PRIVACY, type AddressPrivacy } from '../../../privacy/address-privacy.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import { LABEL_STORE, type LabelStore } from '../../../storage/label-ports.ts';
import { KEY_STORE, type KeyStore } from '../../../storage/ports.ts';
import { askInsights, type Reader } from '../ask-insights.ts';
import { presentExplanation, presentFound, presentWhole } from './checks.presenter.ts';
import { exportChecks } from './export-checks.ts';
import { ExportPlaces } from './export-places.ts';

/** As `labels list` shows where a label came from. */
const SOURCE = 'dashboard';

/** Whose check it is: of the account, or of any where none is named. */
export interface CheckPlace {
  readonly id: string;
  readonly accountId: string | undefined;
}

export interface AskedPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What the endpoints of checks are handled with. */
@injectable()
export class CheckServices {
  readonly #insights: InsightsQueries;
  readonly #labels: LabelStore;
  readonly #keys: KeyStore;
  readonly #privacy: AddressPrivacy;
  readonly #policies: ActivePolicy;
  readonly #collector: SignalCollector;
  readonly #trail: AuditTrail;
  readonly #clock: Clock;
  readonly #exportPlaces = new ExportPlaces();

  constructor(
    @inject(INSIGHTS) insights: InsightsQueries,
    @inject(LABEL_STORE) labels: LabelStore,
    @inject(KEY_STORE) keys: KeyStore,
    @inject(ADDRESS_PRIVACY) privacy: AddressPrivacy,
    @inject(ACTIVE_POLICY) policies: ActivePolicy,
    @inject(SignalCollector) collector: SignalCollector,
    @inject(AuditTrail) trail: AuditTrail,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#insights = insights;
    this.#labels = labels;
    this.#keys = keys;
    this.#privacy = privacy;
    this.#policies = policies;
    this.#collector = collector;
    this.#trail = trail;
    this.#clock = clock;
  }

  async search(filter: CheckFilter, { after, limit }: AskedPage, reader: Reader) {
    return presentFound(await askInsights(this.#insights, 'search', { ...filter, after, limit }, reader));
  }

  /**
   * As CSV. What is wrong with the filter, and that too many ask at once, is told before the first octet. One that has begun
   * is not broken off by whatever its person asks beside it.
   */
  async export(filter: CheckFilter, reader: Reader): Promise<Readable> {
    return this.#exportPlaces.within(reader.person.id, async () => {
      const file = await exportChecks((after, limit) =>
        askInsights(
          this.#insights,
          'search',
          { ...filter, after, limit },
          { ...reader, goesOn: after !== undefined },
        ),
      );
      return Readable.from(file);
    });
  }

  /** The hash by which records are found, under every mode of privacy. Throws AppError `unparseable_email`. */
  person(email: string) {
    const reading = readAddress(email);
    if (!reading.ok) {
      const { code, position, message } = reading.refusal;
      throw new AppError('unparseable_email', { details: [{ fault: code, position, message }] });
    }
    const { address } = reading.address.canonical;
    return { person: this.#privacy.hmac(address), canonical: address };
  }

  /** Throws AppError `not_found`. */
  async show(place: CheckPlace, reader: Reader & { readonly person: Person }) {
    const whole = await this.#find(place, reader);
    return presentWhole(whole, {
      isOperator: reader.person.operatorRole !== null,
      catalogue: this.#collector.catalogue,
      key: await this.#keys.find(whole.row.key_id),
    });
  }

  /** What the rules in force make of it. Throws AppError `not_found`. */
  async explain(place: CheckPlace, reader: Reader) {
    const { row } = await this.#find(place, reader);
    const { catalogue } = this.#collector;
    const { facts, unknown } = recordedFacts(parseRecord(row), catalogue);
    const { ruleSet } = this.#policies.current;
    const explained = await askInsights(
      this.#insights,
      'explain',
      { ruleSet, known: catalogue.facts, facts },
      reader,
    );
    const missing = Object.keys(unknown).filter((fact) => unknown[fact] === NOT_RECORDED);
    return presentExplanation(explained, facts, missing);
  }

  /** Throws AppError `not_found`, also of a check that a test key made: nothing is learnt from those. */
  async label(
    { id, accountId }: { id: string; accountId: string },
    label: Label,
    person: Person,
  ): Promise<void> {
    const at = isoTime(this.#clock.now());
    const given = { subject: { checkId: id }, label, source: SOURCE, author: person.email, labelledAt: at };
    const { absent } = await this.#labels.put(accountId, [given], at);
    if (absent > 0) throw new AppError('not_found');
    await this.#trail.record({ person, action: 'check.labelled', subject: id, accountId, detail: { label } });
  }

  /** Throws AppError `not_found` where the check has none of its own. */
  async unlabel({ id, accountId }: { id: string; accountId: string }, person: Person): Promise<void> {
    if (!(await this.#labels.remove(accountId, { checkId: id }))) throw new AppError('not_found');
    await this.#trail.record({ person, action: 'check.label_removed', subject: id, accountId });
  }

  async #find(place: CheckPlace, reader: Reader): Promise<WholeCheck> {
    const whole = await askInsights(this.#insights, 'check', place, reader);
    if (whole === null) throw new AppError('not_found');
    return whole;
  }
}
