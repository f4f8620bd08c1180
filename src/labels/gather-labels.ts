import { readAddress } from '../email/read-address.ts';
import { RowFileFault } from '../errors.ts';
import { findColumnNamedEmail, findColumns, findEmailColumn, namedLike } from '../lib/row-columns.ts';
import { memberOf, type Row, type RowFaults, type RowTable } from '../lib/row-file.ts';
import { readInstant } from '../lib/time.ts';
import type { LabelSubject, NewLabel } from '../storage/label-ports.ts';
import { describeUnknownLabel, type LabelWords } from './label.ts';

/** An address may begin with `chk_` too, but it has an @ sign. */
export function isCheckId(text: string): boolean {
  return /^chk_[^@]*$/.test(text);
}

/** The check of the id, or the person with the address in any of its forms. A text says why it is neither. */
export function readSubject(text: string, hmac: (canonicalAddress: string) => string): LabelSubject | string {
  if (isCheckId(text)) return { checkId: text };
  const reading = readAddress(text);
  if (!reading.ok) return `it is no address: ${reading.refusal.message}`;
  return { addressHmac: hmac(reading.address.canonical.address) };
}

const LABEL = 'label';

/**
 * Finds the columns of a file of labels; null where there is none. `checks`: the id of a check; a row without a `chk_…` in them is
 * matched by its address. `toldAt`: when the label was told. Takes the wanted columns (`--columns E-Mail,verdict,told`: the check or
 * the address, the label, the time), else goes by their names. Throws RowFileFault when it is not clear which is which.
 */
export function chooseLabelColumns({ names, wanted, delimiter }: RowTable, file: string) {
  if (names === null) return { checks: [], email: null, label: LABEL, toldAt: null };
  const meanings = ['the check or the address', 'the label', 'the time'];
  const isOpen = delimiter === null;
  const [subject, wantedLabel, wantedTime] = findColumns(names, { wanted, file, isOpen, meanings });
  // Later lines of JSON may have members that the first has not.
  const later = (name: string) => (delimiter === null ? name : null);
  const label = wantedLabel ?? namedLike(names, LABEL)[0] ?? later(LABEL);
  if (label === null) throw new RowFileFault(ask('the label', names, file));
  const toldAt = wantedTime ?? namedLike(names, 'labelledat')[0] ?? later('labelled_at');
  if (subject !== undefined) return { checks: [subject], email: subject, label, toldAt };
  const ids = [...namedLike(names, 'checkid'), ...namedLike(names, 'id')];
  const others = names.filter((name) => name !== label && name !== toldAt && !ids.includes(name));
  // Beside a check, the one column that is left over need not be an address.
  const email = ids.length === 0 ? findEmailColumn(others) : findColumnNamedEmail(others);
  const checks = delimiter === null ? [...ids, 'check_id', 'id'] : ids;
  const columns = { checks, email: email ?? later('email'), label, toldAt };
  if (checks.length === 0 && columns.email === null)
    throw new RowFileFault(ask('the check or the address', names, file));
  return columns;
}

function ask(what: string, names: readonly string[], file: string): string {
  return `${file}: which column holds ${what}? --columns names that of the check or the address, then that of the label; there are ${names.join(', ')}`;
}

interface GatheringOptions {
  readonly rows: AsyncIterable<Row>;
  readonly columns: ReturnType<typeof chooseLabelColumns>;
  readonly words: LabelWords;
  /** The hash of a canonical address, as records hold it; null where records hold none. */
  readonly hmac: ((canonicalAddress: string) => string) | null;
  /** ISO 8601, UTC. The time of a label whose row has no time. */
  readonly now: string;
  readonly source: string;
  readonly author: string | null;
  /** Collects the rows that are refused. */
  readonly faults: RowFaults;
  readonly onRow: () => void;
}

/** For each check and each person in the rows, the label told last. Throws RowFileFault at an address where records hold no hash. */
export async function gatherLabels(options: GatheringOptions) {
  type Telling = { readonly told: NewLabel; readonly line: number };
  const bySubject = new Map<string, Telling>();
  // Labels that a later one replaced, by subject and time: a row further down may contradict them.
  const earlier = new Map<string, Telling>();
  // Rows in all, those without a label, and those of a check or a person that had one already.
  const counts = { rows: 0, unlabelled: 0, repeated: 0 };
  for await (const row of options.rows) {
    counts.rows += 1;
    const found = row.broken ?? readLabel(row, options);
    if (typeof found === 'string') options.faults.add(row.line, found);
    else if (found === null) counts.unlabelled += 1;
    else {
      const { subject, label, labelledAt } = found;
      const key = 'checkId' in subject ? subject.checkId : subject.addressHmac;
      const telling = { told: found, line: row.line };
      const last = bySubject.get(key);
      const same = last?.told.labelledAt === labelledAt ? last : earlier.get(`${key} ${labelledAt}`);
      if (same && same.told.label !== label) {
        const what = 'checkId' in subject ? 'check' : 'person';
        const fault = `it is ${label}, and line ${same.line} says ${same.told.label} of the same ${what}`;
        options.faults.add(row.line, fault);
      } else {
        if (last) counts.repeated += 1;
        const isLast = !last || labelledAt > last.told.labelledAt;
        const older = isLast ? last : telling;
        if (older) earlier.set(`${key} ${older.told.labelledAt}`, same ?? older);
        if (isLast) bySubject.set(key, telling);
      }
    }
    options.onRow();
  }
  return { labels: [...bySubject.values()].map(({ told }) => told), counts };
}

/** Null where the row has no label; a text says what is wrong with the row. */
function readLabel(row: Row, options: GatheringOptions): NewLabel | string | null {
  const { columns, words, now, source, author } = options;
  const given = memberOf(row, columns.label);
  const label = words.read(given);
  if (label === null) return null;
  if (label === undefined) return describeUnknownLabel(given);
  const subject = subjectOf(row, options);
  if (typeof subject === 'string') return subject;
  const told = textOf(row, columns.toldAt);
  const labelledAt = told === '' ? now : readInstant(told);
  if (labelledAt === null) return `"${told}" is no time: it is 2026-11-20 or 2026-11-20T08:00:00Z`;
  if (labelledAt > now) return `it was told at ${labelledAt}, which is to come`;
  return { subject, label, source, author, labelledAt };
}

const NOTHING_TO_MATCH =
  'privacy.store_addresses is none: records hold no hash of the address, and the label of an address would match none of them; label checks by their id (chk_…)';

function subjectOf(row: Row, { columns, hmac }: GatheringOptions): LabelSubject | string {
  const ids = columns.checks.map((name) => textOf(row, name));
  const checkId = ids.find(isCheckId);
  if (checkId !== undefined) return { checkId };
  const email = textOf(row, columns.email);
  if (email === '') {
    const id = ids.find((text) => text !== '');
    return id === undefined
      ? 'there is neither a check nor an address'
      : `"${id}" is no id of a check (chk_…)`;
  }
  if (hmac === null) throw new RowFileFault(NOTHING_TO_MATCH);
  return readSubject(email, hmac);
}

function textOf(row: Row, name: string | null): string {
  return String(memberOf(row, name) ?? '').trim();
}
