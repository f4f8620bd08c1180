import { readAddress } from '../../email/read-address.ts';
import { describeUnknownLabel, type Label, type LabelWords } from '../../labels/label.ts';
import { readInstant } from '../../lib/dates.ts';
import { memberOf, type Row } from '../../lib/row-file.ts';
import type { Facts } from '../../rules/decision.ts';
import { describeMisfit, isValueOf } from '../../rules/lint/fact-misfit.ts';
import { ReadableFacts } from '../../rules/lint/readable-facts.ts';
import { ordinaryFacts } from '../../rules/ordinary-facts.ts';
import { suggest } from '../../rules/suggestion.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { Case } from './case.ts';
import type { CollectFacts } from './collect-facts.ts';
import type { CaseColumns } from './labelled-columns.ts';
import type { BySide } from './report.ts';

export interface CaseReaderOptions {
  readonly name: string;
  readonly words: LabelWords;
  readonly catalogue: FactCatalogue;
  readonly collect: BySide<CollectFacts>;
}

/** Makes a case of a row, or says why the row is none. */
export class CaseReader {
  readonly #columns: CaseColumns;
  readonly #options: CaseReaderOptions;
  readonly #readable: ReadableFacts;
  readonly #ordinary: Facts;

  constructor(columns: CaseColumns, options: CaseReaderOptions) {
    this.#columns = columns;
    this.#options = options;
    this.#readable = new ReadableFacts(options.catalogue, new Map(), true);
    this.#ordinary = ordinaryFacts(options.catalogue);
  }

  /** A text is the reason. */
  async read(row: Row): Promise<Case | string> {
    if (row.broken !== null) return row.broken;
    const label = this.#labelOf(row);
    if (typeof label === 'object' && label !== null) return label.reason;
    const facts = memberOf(row, this.#columns.facts);
    return facts === null ? this.#caseOfAddress(row, label) : this.#caseOfFacts(row, label, facts);
  }

  #labelOf(row: Row): Label | null | { readonly reason: string } {
    const value = memberOf(row, this.#columns.label);
    const label = this.#options.words.read(value);
    return label === undefined ? { reason: describeUnknownLabel(value) } : label;
  }

  async #caseOfAddress(row: Row, label: Label | null): Promise<Case | string> {
    const { collect, name } = this.#options;
    const email = memberOf(row, this.#columns.email);
    if (typeof email !== 'string' || email === '') return 'there is no address';
    const reading = readAddress(email);
    if (!reading.ok) return `it is no address: ${reading.refusal.message}`;
    const facts = await collect.base(reading.address);
    return {
      id: `${name}:${row.line}`,
      createdAt: instantOf(row),
      domain: reading.address.canonical.domain,
      label,
      facts,
      candidateFacts: collect.candidate === collect.base ? facts : await collect.candidate(reading.address),
      recorded: null,
    };
  }

  #caseOfFacts(row: Row, label: Label | null, given: unknown): Case | string {
    const facts = this.#factsOf(given);
    if (typeof facts === 'string') return facts;
    const [id, domain] = [memberOf(row, 'id'), memberOf(row, 'domain')];
    return {
      id: typeof id === 'string' && id !== '' ? id : `${this.#options.name}:${row.line}`,
      createdAt: instantOf(row),
      domain: typeof domain === 'string' ? domain : null,
      label,
      facts,
      candidateFacts: facts,
      recorded: null,
    };
  }

  /** Those left out are ordinary, as in a rule test. */
  #factsOf(given: unknown): Facts | string {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return '"facts" is no object of facts to values';
    }
    const facts: Record<string, Facts[string]> = { ...this.#ordinary };
    for (const [id, value] of Object.entries(given)) {
      const fact = this.#readable.find(id);
      if (fact?.source !== 'provider') {
        const meant = suggest(id, this.#options.catalogue.facts.keys());
        return `no provider answers a fact "${id}"${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
      }
      // Of what quotes the address a record keeps nothing, unless it keeps the address.
      if (value === null && fact.isPersonal) facts[id] = null;
      else if (isValueOf(fact, value)) facts[id] = value;
      else return describeMisfit(fact);
    }
    return facts;
  }
}

function instantOf(row: Row): string | null {
  const text = memberOf(row, 'created_at');
  return typeof text === 'string' ? readInstant(text) : null;
}
