import { readAddress } from '../../email/read-address.ts';
import { RowFileFault } from '../../errors.ts';
import { describeUnknownLabel, type LabelWords } from '../../labels/label.ts';
import { inOrder } from '../../lib/concurrency.ts';
import { didYouMean, suggest } from '../../lib/did-you-mean.ts';
import { readRows } from '../../lib/read-rows.ts';
import { findColumns, findEmailColumn, namedLike } from '../../lib/row-columns.ts';
import { memberOf, type Row, type RowFaults, type RowSource, type RowTable } from '../../lib/row-file.ts';
import { readInstant } from '../../lib/time.ts';
import { NOT_STORED } from '../../privacy/address-privacy.ts';
import type { Address } from '../../provider-kit/index.ts';
import { otherFactMakers } from '../../rules/compile.ts';
import type { Facts } from '../../rules/decision.ts';
import { describeMisfit, isValueOf, ordinaryFacts } from '../../rules/described-facts.ts';
import { bucketOf as bucketOfHmac, ROLLOUT_BUCKET } from '../../rules/rollout.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { PreparationInputs } from '../../signals/prepare-providers.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { type BySide, type Case, type Side, unknownOfDisabled } from './case.ts';

export type CollectFacts = (address: Address) => Facts | Promise<Facts>;

interface CollectingOptions {
  readonly collector: SignalCollector;
  /** The providers' own, and the downloaded lists where they are to be used. */
  readonly inputs: Pick<PreparationInputs, 'options' | 'downloads'>;
  readonly ruleSets: BySide<RuleSet>;
  /** `local` sends no packet: what a look-up would tell is unknown. */
  readonly world: 'local' | 'live';
}

/**
 * How each side finds out the facts of an address. The same function for both, unless the thresholds of signals or the
 * entries of the allow and deny lists differ: nothing else of a rules directory makes facts.
 */
export async function collectForBoth(options: CollectingOptions): Promise<BySide<CollectFacts>> {
  const { collector, inputs, ruleSets, world } = options;
  const collectFor = async ({ signals: thresholds, lists }: RuleSet): Promise<CollectFacts> => {
    const prepared = await collector.prepare({ ...inputs, thresholds, lists });
    const collect = (address: Address) =>
      world === 'local' ? collector.collectLocal(address, prepared) : collector.collect(address, prepared);
    return async (address) => (await collect(address)).facts;
  };
  const base = await collectFor(ruleSets.base);
  const isSame = otherFactMakers(ruleSets.base, ruleSets.candidate).length === 0;
  return { base, candidate: isSame ? base : await collectFor(ruleSets.candidate) };
}

/** The name of the file stands in the ids of cases: `signups.csv:12`. */
interface LabelledFileOptions extends RowSource {
  /** Columns of the address and the label, where their names do not tell; by number where the file has no header. */
  readonly columns: readonly string[];
  readonly words: LabelWords;
  readonly catalogue: FactCatalogue;
  readonly collect: BySide<CollectFacts>;
  /** The rollout bucket of an address; null where it cannot be told, or nothing is rolled out. */
  readonly bucketOf: (canonicalAddress: string) => string | null;
  /** Collects the rows that are refused, which are no cases. */
  readonly faults: RowFaults;
}

/** As many as `check --file` asks about at once. */
const SIDE_BY_SIDE = 32;

/**
 * The signups of a CSV or JSONL file, in its order: rows with an address, whose facts are found out here, and lines of JSON with
 * the `facts` themselves. Throws RowFileFault when it is not clear which column is which.
 */
export async function openLabelledFile(options: LabelledFileOptions): Promise<AsyncIterable<Case>> {
  const { name, columns, faults } = options;
  const table = await readRows(options, { wanted: columns });
  const read = caseReader(chooseCaseColumns(table, name), options);
  return casesOf(table, read, faults);
}

async function* casesOf(
  { rows }: RowTable,
  read: (row: Row) => Promise<Case | string>,
  faults: RowFaults,
): AsyncGenerator<Case> {
  const readOne = async (row: Row) => ({ line: row.line, outcome: await read(row) });
  for await (const { line, outcome } of inOrder(rows, SIDE_BY_SIDE, readOne)) {
    if (typeof outcome === 'string') faults.add(line, outcome);
    else yield outcome;
  }
}

/** As `checks show --json` prints it. */
const ADDRESS_HMAC = /^[0-9a-f]{64}$/;
const LABEL = 'label';
const FACTS = 'facts';

/**
 * Which columns of a file of signups hold what: the wanted columns, the address's first and the label's second, else found by their names.
 * Null are `email` where the rows have facts instead, `label` where there are no labels, and `facts` in CSV, whose cells are text. Later
 * lines of JSON may have a label that the first has not. Throws RowFileFault when no column holds the address, and none the facts.
 */
function chooseCaseColumns({ names, wanted, delimiter }: RowTable, file: string) {
  const isJson = delimiter === null;
  if (names === null) return { email: null, label: null, facts: null };
  const meanings = ['the address', 'the label'];
  const [wantedEmail, wantedLabel] = findColumns(names, { wanted, file, isOpen: isJson, meanings });
  const label = wantedLabel ?? namedLike(names, LABEL)[0] ?? (isJson ? LABEL : null);
  const others = names.filter((name) => name !== label);
  const email = wantedEmail ?? findEmailColumn(others) ?? null;
  if (email === null && !(isJson && names.includes(FACTS))) {
    throw new RowFileFault(
      `${file}: which column holds the address? --columns names it, then the label's; there are ${names.join(', ')}`,
    );
  }
  return { email, label, facts: isJson ? FACTS : null };
}

/** Null where the row has no such column, or its value is no text. */
function textIn(row: Row, column: string | null): string | null {
  const value = memberOf(row, column);
  return typeof value === 'string' ? value : null;
}

/** Makes a case of a row, or says why the row is none. */
function caseReader(
  columns: ReturnType<typeof chooseCaseColumns>,
  { name, words, catalogue, collect, bucketOf }: LabelledFileOptions,
) {
  // A missing bucket leaves rules that are rolled out unjudged.
  const withBucket = (facts: Facts, bucket: string | null): Facts =>
    bucket === null ? facts : { ...facts, [ROLLOUT_BUCKET]: bucket };
  const readFacts = factsReader(catalogue);
  return async (row: Row): Promise<Case | string> => {
    if (row.broken !== null) return row.broken;
    const word = memberOf(row, columns.label);
    const label = words.read(word);
    if (label === undefined) return describeUnknownLabel(word);
    const createdAt = readInstant(textIn(row, 'created_at') ?? '');
    const known = { createdAt, label, addressHmac: null, recorded: null };
    const line = `${name}:${row.line}`;
    const given = memberOf(row, columns.facts);
    if (given !== null) {
      const read = readFacts(given, memberOf(row, 'unknown'));
      if (typeof read === 'string') return read;
      const hmac = textIn(row, 'address_hmac') ?? '';
      const facts = withBucket(read, ADDRESS_HMAC.test(hmac) ? bucketOfHmac(hmac) : null);
      const [id, domain] = [textIn(row, 'id') || line, textIn(row, 'domain')];
      return { ...known, id, domain, facts, candidateFacts: facts };
    }
    // Later lines of JSON may have a member that the first has not.
    const email = textIn(row, columns.email) ?? (columns.facts === null ? null : textIn(row, 'email'));
    if (!email) return 'there is no address';
    const reading = readAddress(email);
    if (!reading.ok) return `it is no address: ${reading.refusal.message}`;
    const { address } = reading;
    const { domain, address: canonical } = address.canonical;
    const collectFor = async (side: Side) => withBucket(await collect[side](address), bucketOf(canonical));
    const facts = await collectFor('base');
    const candidateFacts = collect.candidate === collect.base ? facts : await collectFor('candidate');
    return { ...known, id: line, domain, facts, candidateFacts };
  };
}

/**
 * Returns a reader of a row's facts: the facts, or a sentence that says what is wrong with them. Facts left out are ordinary, as in a rule
 * test. A row that says why facts are unknown is a record: facts that it leaves out or did not store are missing.
 */
function factsReader(catalogue: FactCatalogue): (given: unknown, unknown: unknown) => Facts | string {
  const ordinary = ordinaryFacts(catalogue);
  const blank = unknownOfDisabled(catalogue);
  return (given, unknown) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return '"facts" is no object of facts to values';
    }
    const isRecord = typeof unknown === 'object' && unknown !== null;
    const reasons: Readonly<Record<string, unknown>> = { ...(isRecord && unknown) };
    const facts: Record<string, Facts[string]> = { ...(isRecord ? blank : ordinary) };
    for (const [id, value] of Object.entries(given)) {
      const fact = catalogue.facts.get(id);
      if (!fact) {
        return `no provider answers a fact "${id}"${didYouMean(id, catalogue.facts.keys(), suggest)}`;
      }
      // Not stored: by its reason or, without a reason, because the fact is personal.
      if (value === null && (reasons[id] ?? (fact.personal && NOT_STORED)) === NOT_STORED) delete facts[id];
      // A fact that is never unknown can be null, with a reason, in a record whose provider failed.
      else if (isValueOf(fact, value) || (value === null && id in reasons)) facts[id] = value;
      else return describeMisfit(fact);
    }
    return facts;
  };
}
