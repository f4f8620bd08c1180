import type { LabelWords } from '../../labels/label.ts';
import { inOrder } from '../../lib/concurrency.ts';
import { readRows } from '../../lib/read-rows.ts';
import type { RowFaults } from '../../lib/row-faults.ts';
import type { Format, Row, RowTable } from '../../lib/row-file.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { Case } from './case.ts';
import type { CollectFacts } from './collect-facts.ts';
import { chooseCaseColumns } from './labelled-columns.ts';
import { CaseReader } from './read-case.ts';
import type { BySide } from './report.ts';

export interface LabelledFileOptions {
  /** For complaints, and the ids of cases: `signups.csv:12`. */
  readonly name: string;
  readonly format: Format;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The address's and the label's, where their names do not tell; by number where the file has no header. */
  readonly columns: readonly string[];
  readonly words: LabelWords;
  readonly catalogue: FactCatalogue;
  readonly collect: BySide<CollectFacts>;
  /** Is told of each row that is refused: it is no case. */
  readonly faults: RowFaults;
}

/** Of each batch, so that a bar can move and the event loop can turn. */
const BATCH_CASES = 500;
/** As many as `check --file` asks about at once. */
const SIDE_BY_SIDE = 32;

/**
 * The signups of a CSV or JSONL file, in its order, some hundred at a time: rows with an address, whose facts are found
 * out here, and lines of JSON with the `facts` themselves. Throws RowFileFault when it is not clear which column is which.
 */
export async function openLabelledFile(
  options: LabelledFileOptions,
): Promise<AsyncIterable<readonly Case[]>> {
  const { name, format, chunks, columns, faults } = options;
  const table = await readRows(format, chunks, { name, wanted: columns });
  const reader = new CaseReader(chooseCaseColumns(table, name), options);
  return batches(table, (row) => reader.read(row), faults);
}

async function* batches(
  { rows }: RowTable,
  read: (row: Row) => Promise<Case | string>,
  faults: RowFaults,
): AsyncGenerator<readonly Case[]> {
  let batch: Case[] = [];
  const readOne = async (row: Row) => ({ line: row.line, outcome: await read(row) });
  for await (const { line, outcome } of inOrder(rows, SIDE_BY_SIDE, readOne)) {
    if (typeof outcome === 'string') faults.add(line, outcome);
    else batch.push(outcome);
    if (batch.length < BATCH_CASES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
