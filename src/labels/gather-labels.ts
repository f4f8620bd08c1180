import { readAddress } from '../email/read-address.ts';
import { RowFileFault } from '../errors.ts';
import { readInstant } from '../lib/dates.ts';
import type { RowFaults } from '../lib/row-file.ts';
import { memberOf, type Row } from '../lib/row-file.ts';
import type { LabelSubject, NewLabel } from '../storage/label-ports.ts';
import { describeUnknownLabel, type Label, type LabelWords } from './label.ts';
import type { LabelColumns } from './label-columns.ts';

/** What `chk_…` cannot be: an address has an @ sign. */
const CHECK_ID = /^chk_[^@]*$/;

export function isCheckId(text: string): boolean {
  return CHECK_ID.test(text);
}

/** The check of the id, or the person with the address in any of its forms. A text says why it is neither. */
export function readSubject(text: string, hmac: (canonicalAddress: string) => string): LabelSubject | string {
  if (isCheckId(text)) return { checkId: text };
  const reading = readAddress(text);
  if (!reading.ok) return `it is no address: ${reading.refusal.message}`;
  return { addressHmac: hmac(reading.address.canonical.address) };
}

interface GatheringOptions {
  readonly columns: LabelColumns;
  readonly words: LabelWords;
  /** Of a canonical address, as records hold it; null where they hold none. */
  readonly hmac: ((canonicalAddress: string) => string) | null;
  /** ISO 8601, UTC: when a label was told that says nothing of it. */
  readonly now: string;
  readonly source: string;
  readonly author: string | null;
  readonly faults: RowFaults;
}

interface Gathered {
  readonly subject: LabelSubject;
  readonly label: Label;
  readonly labelledAt: string;
  readonly line: number;
}

const NOTHING_TO_MATCH =
  'privacy.store_addresses is none: records hold no hash of the address, and the label of an address would match none of them; label checks by their id (chk_…)';

/** Takes the labels out of the rows of a file. Of one subject the label that was told last counts. */
export class LabelGatherer {
  readonly #options: GatheringOptions;
  readonly #bySubject = new Map<string, Gathered>();
  /** Rows in all, those without a label, and those of a check or a person that had one already. */
  readonly counts = { rows: 0, unlabelled: 0, repeated: 0 };

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  /** Throws RowFileFault at an address where records hold no hash. */
  add(row: Row): void {
    this.counts.rows += 1;
    const fault = row.broken ?? this.#take(row);
    if (fault !== null) this.#options.faults.add(row.line, fault);
  }

  /** Checks and persons. */
  get size(): number {
    return this.#bySubject.size;
  }

  get subjects(): readonly LabelSubject[] {
    return [...this.#bySubject.values()].map(({ subject }) => subject);
  }

  *labels(): Generator<NewLabel> {
    const { source, author } = this.#options;
    for (const { subject, label, labelledAt } of this.#bySubject.values()) {
      yield { subject, label, source, author, labelledAt };
    }
  }

  /** A text says what is wrong with the row. */
  #take(row: Row): string | null {
    const { columns, words, now } = this.#options;
    const given = memberOf(row, columns.label);
    const label = words.read(given);
    if (label === null) {
      this.counts.unlabelled += 1;
      return null;
    }
    if (label === undefined) return describeUnknownLabel(given);
    const subject = this.#subjectOf(row);
    if (typeof subject === 'string') return subject;
    const told = textOf(row, columns.toldAt);
    const labelledAt = told === '' ? now : readInstant(told);
    if (labelledAt === null) return `"${told}" is no time: it is 2026-11-20 or 2026-11-20T08:00:00Z`;
    if (labelledAt > now) return `it was told at ${labelledAt}, which is to come`;
    return this.#keep({ subject, label, labelledAt, line: row.line });
  }

  #keep(gathered: Gathered): string | null {
    const { subject, label, labelledAt } = gathered;
    const key = 'checkId' in subject ? subject.checkId : subject.addressHmac;
    const before = this.#bySubject.get(key);
    if (before === undefined) {
      this.#bySubject.set(key, gathered);
      return null;
    }
    if (before.label !== label && before.labelledAt === labelledAt) {
      const what = 'checkId' in subject ? 'check' : 'person';
      return `it is ${label}, and line ${before.line} says ${before.label} of the same ${what}`;
    }
    this.counts.repeated += 1;
    if (labelledAt > before.labelledAt) this.#bySubject.set(key, gathered);
    return null;
  }

  #subjectOf(row: Row): LabelSubject | string {
    const { columns, hmac } = this.#options;
    const id = textOf(row, columns.check);
    if (isCheckId(id)) return { checkId: id };
    const email = textOf(row, columns.email);
    if (email === '') {
      return id === '' ? 'there is neither a check nor an address' : `"${id}" is no id of a check (chk_…)`;
    }
    if (hmac === null) throw new RowFileFault(NOTHING_TO_MATCH);
    return readSubject(email, hmac);
  }
}

function textOf(row: Row, name: string | null): string {
  return String(memberOf(row, name) ?? '').trim();
}
