import { pipeline } from 'node:stream/promises';
import { inOrder } from '../../lib/concurrency.ts';
import { readRows } from '../../lib/read-rows.ts';
import { delimiterOf, type Format, formatOf } from '../../lib/row-file.ts';
import { whole } from '../../lib/statistics.ts';
import { systemClock } from '../../lib/time.ts';
import { openAssessor } from '../open-assessor.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { type Progress, withProgress } from '../render/progress.ts';
import { CannotRun, type Shell } from '../shell.ts';
import { type InputRow, inputRowsOf } from './input-rows.ts';
import { openOutput } from './open-output.ts';
import { assessRow, createRowWriter, Tally } from './row-outcome.ts';
import { SimulatedCounting } from './simulated-counting.ts';

export interface CheckFileOptions extends InputOptions {
  readonly file: string;
  readonly offline?: boolean;
  readonly out?: string;
  readonly outputFormat?: Format;
  /** The column of each row's time; rows are counted as checks then. */
  readonly simulateVelocity?: string;
}

/**
 * Rows under way at once. Each asks DNS two or three questions where its domain is new; dnsmasq, common in small
 * networks, forwards 150 at a time (dnsmasq(8), --dns-forward-max).
 */
const SIDE_BY_SIDE = 32;

/** Written at once, in characters: a system call for each row would be a tenth of the work. */
const PIECE = 8_192;

/** One row out for each row in, in their order, with memory for no more than is under way. */
export async function checkFile(shell: Shell, options: CheckFileOptions): Promise<void> {
  const input = await openInput(shell, options.file, options);
  const { assessor, collector, close } = await openAssessor(shell);
  try {
    const { name, format, totalBytes } = input;
    const wanted = options.columns ?? [];
    const table = await readRows(input, { wanted, exactNumbers: true });
    const timed = options.simulateVelocity;
    const { columns, rows } = inputRowsOf(table, name, timed);
    const facts = collector.providers.flatMap((provider) =>
      provider.stage === 'local' && provider.counts ? provider.facts.map(({ id }) => id) : [],
    );
    const simulation = timed === undefined ? undefined : { counting: new SimulatedCounting(), facts };
    const written =
      options.outputFormat ?? (shell.options.json ? 'jsonl' : (formatOf(options.out) ?? format));
    const delimiter = delimiterOf(options.out) ?? table.delimiter ?? ',';
    const writer = createRowWriter(written, columns, delimiter, simulation?.facts);
    const begun = systemClock.now();
    const tally = new Tally();
    const world = options.offline ? 'local' : 'live';
    const assess = async (row: InputRow) => ({
      row,
      outcome: await assessRow(assessor, world, row, simulation),
    });

    async function* answers(progress: Progress): AsyncGenerator<string> {
      let text = writer.head;
      for await (const { row, outcome } of inOrder(rows, SIDE_BY_SIDE, assess)) {
        tally.count(row, outcome);
        text += writer.row(row, outcome);
        progress.advance(input.bytes());
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      yield text;
    }

    const output = await openOutput(shell, options.out, options.file);
    await withProgress(shell, 'checking', totalBytes, async (progress) => {
      await pipeline(answers(progress), output.stream);
      await output.finish();
    }).catch((error: Partial<NodeJS.ErrnoException>) => {
      // A full disk, for example. `main.ts` handles the faults of standard output.
      throw error.syscall === 'write'
        ? new CannotRun(`${options.out} cannot be written: ${error.message}`)
        : error;
    });
    if (writer.leftOut > 0) {
      const left = whole(writer.leftOut);
      shell.note(`${name}: ${left} rows have members that the first has not: they have no column`);
    }
    for (const line of tally.lines(name, systemClock.now() - begun)) shell.note(line);
    if (tally.untimed > 0) {
      const rows = tally.untimed === 1 ? '1 row' : `${whole(tally.untimed)} rows`;
      shell.note(
        `${name}: ${rows} could not be counted: each needs a time in "${timed}", 2026-11-20T08:00:00Z for example, and the file is sorted by it`,
      );
    }
    if (tally.blocked + tally.unparseable > 0) shell.exitCode = 1;
  } finally {
    await close();
  }
}
