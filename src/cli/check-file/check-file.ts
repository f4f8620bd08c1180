import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { access, constants, open, realpath, rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inOrder } from '../../lib/concurrency.ts';
import { readRows } from '../../lib/read-rows.ts';
import { delimiterOf, type Format, formatOf } from '../../lib/row-file.ts';
import { counted } from '../../lib/statistics.ts';
import { codeOf } from '../../lib/thrown.ts';
import { systemClock } from '../../lib/time.ts';
import { openAssessor } from '../open-assessor.ts';
import { type InputOptions, openInput } from '../open-input.ts';
import { type Progress, withProgress } from '../render/progress.ts';
import { CannotRun, orCannotUse, type Shell } from '../shell.ts';
import { type InputRow, inputRowsOf, SimulatedCounting } from './input-rows.ts';
import { assessRow, createRowWriter, Tally } from './row-outcome.ts';

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
  await using opened = await openAssessor(shell);
  const { assessor, collector } = opened;
  const { name, format, totalBytes } = input;
  const wanted = options.columns ?? [];
  const table = await readRows(input, { wanted, exactNumbers: true });
  const timed = options.simulateVelocity;
  const { columns, rows } = inputRowsOf(table, name, timed);
  const facts = collector.providers.flatMap((provider) =>
    provider.stage === 'local' && provider.counts ? provider.facts.map(({ id }) => id) : [],
  );
  const simulation = timed === undefined ? undefined : { counting: new SimulatedCounting(), facts };
  const written = options.outputFormat ?? (shell.options.json ? 'jsonl' : (formatOf(options.out) ?? format));
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
      progress.advance(1, input.bytes());
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    yield text;
  }

  using output = await openOutput(shell, options.out, options.file);
  await withProgress(shell, 'checking', totalBytes, async (progress) => {
    await pipeline(answers(progress), output.stream, { end: output.stream !== shell.stdout });
    await output.finish();
  }).catch((error: Partial<NodeJS.ErrnoException>) => {
    // A full disk, for example. `main.ts` handles the faults of standard output.
    throw error.syscall === 'write'
      ? new CannotRun(`${options.out} cannot be written: ${error.message}`)
      : error;
  });
  if (writer.leftOut > 0) {
    const left = counted(writer.leftOut, 'row');
    shell.note(`${name}: ${left} with members that the first has not: they have no column`);
  }
  for (const line of tally.lines(name, systemClock.now() - begun)) shell.note(line);
  if (tally.untimed > 0) {
    shell.note(
      `${name}: ${counted(tally.untimed, 'row')} could not be counted: each needs a time in "${timed}", 2026-11-20T08:00:00Z for example, and the file is sorted by it`,
    );
  }
  if (tally.blocked + tally.unparseable > 0) shell.exitCode = 1;
}

/** The file holds addresses: only its owner may read it. */
const MODE = 0o600;
const PART = '.part';

/**
 * Opens standard output where no file is named, or `-`. Else the answer is written as FILE.part, and `finish` renames it to FILE, over an older
 * one, when all is written: an interrupted answer cannot be taken for a whole one, and leaves an older FILE alone. Throws CannotRun when
 * FILE cannot be written, or is the file that is being read; `finish` throws CannotRun too. An answer that breaks off stays as FILE.part,
 * which is said: it may be the work of hours.
 */
async function openOutput(shell: Shell, file: string | undefined, input: string) {
  const nothing = { finish: async () => {}, [Symbol.dispose]() {} };
  if (file === undefined || file === '-') return { stream: shell.stdout, ...nothing };
  const from = await realPathOf(resolve(shell.cwd, input));
  const path = await realPathOf(resolve(shell.cwd, file));
  if (from === path) throw new CannotRun(`${file} is being read: --out must be another file`);
  const told = <T>(work: () => Promise<T>) => orCannotUse(file, 'written', work);
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined) await told(() => access(path, constants.W_OK));
  if (there?.isDirectory()) throw new CannotRun(`${file} cannot be written: it is a directory`);
  if (there !== undefined && !there.isFile()) {
    // A pipe or a terminal: written directly, since a rename would put a file in its place.
    const handle = await told(() => open(path, 'w'));
    return { stream: handle.createWriteStream(), ...nothing };
  }
  const { part, suffix, handle } = await told(() => openPart(path));
  if (suffix !== PART)
    shell.note(`${file}${PART} is there already: the rows are in ${file}${suffix} until all are written`);
  let isWhole = false;
  const ended = shell.atEnd(() => {
    if (isWhole) return;
    const rows = statSync(part, { throwIfNoEntry: false })?.size ?? 0;
    if (rows === 0) rmSync(part, { force: true });
    else shell.note(`${file} is left as it was: the rows so far are in ${file}${suffix}`);
  });
  return {
    stream: handle.createWriteStream(),
    async finish() {
      await told(() => rename(part, path));
      isWhole = true;
    },
    [Symbol.dispose]: () => ended.dispose(),
  };
}

/** Makes a new file. Never opens an existing one: it may be another run's part, the file that is being read, or no part at all. */
async function openPart(path: string) {
  for (let suffix = PART; ; suffix = `.${randomBytes(4).toString('hex')}${PART}`) {
    const part = `${path}${suffix}`;
    try {
      return { part, suffix, handle: await open(part, 'wx', MODE) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
