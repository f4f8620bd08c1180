import { type Options, Presets, SingleBar } from 'cli-progress';
import { whole } from '../../lib/statistics.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { Shell, Sink } from '../shell.ts';

/** What is done sooner needs no bar. */
export const SILENT_MS = 1_000;

/** A bar for a person who waits, not shown yet; it is wiped out at its end. */
export function createBar(terminal: Sink, format: string, more: Pick<Options, 'barsize'> = {}): SingleBar {
  return new SingleBar(
    {
      ...more,
      format,
      // The library writes to it and asks for isTTY and columns; a process's standard error has them all.
      stream: terminal as unknown as NodeJS.WritableStream,
      clearOnComplete: true,
      // All would meddle with what is not ours: a cursor that stays hidden and lines that no longer wrap after Ctrl-C,
      // and handlers of the process's signals.
      hideCursor: false,
      linewrap: true,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
}

/** The clock is looked at once in so many rows. */
const EVERY_ROWS = 64;

interface ProgressOptions {
  /** What takes so long: `checking`. */
  readonly doing: string;
  /** Null where standard error is no terminal. */
  readonly terminal: Sink | null;
  /** Of the whole input, in bytes or in what `advance` is told; null when that cannot be known. */
  readonly totalBytes: number | null;
  readonly clock: Clock;
}

/** A bar for a person who waits, as long as it takes longer than a second. */
export class Progress {
  readonly #bar: SingleBar | null;
  readonly #clock: Clock;
  readonly #totalBytes: number | null;
  readonly #begun: number;
  #rows = 0;
  #lookedAt = 0;
  #isShown = false;

  constructor({ doing, terminal, totalBytes, clock }: ProgressOptions) {
    const format =
      totalBytes === null
        ? `${doing}  {rows} rows  {duration_formatted}`
        : `${doing}  {bar}  {percentage} %  {rows} rows{left}`;
    // With a million rows and hours left the line still fits into 80 columns.
    this.#bar = terminal && createBar(terminal, format, { barsize: 24 });
    this.#clock = clock;
    this.#totalBytes = totalBytes;
    this.#begun = clock.now();
  }

  /** So many rows more are done; so many bytes have been read in all. */
  advance(bytes: number, rowsMore = 1): void {
    this.#rows += rowsMore;
    if (this.#bar === null || this.#rows - this.#lookedAt < EVERY_ROWS) return;
    this.#lookedAt = this.#rows;
    const elapsedMs = this.#clock.now() - this.#begun;
    const told = { rows: whole(this.#rows), left: describeLeft(elapsedMs, bytes, this.#totalBytes) };
    if (this.#isShown) this.#bar.update(bytes, told);
    else if (elapsedMs > SILENT_MS) {
      this.#bar.start(this.#totalBytes ?? 0, bytes, told);
      this.#isShown = true;
    }
  }

  /** Wipes the bar out. */
  stop(): void {
    if (this.#isShown) this.#bar?.stop();
    this.#isShown = false;
  }
}

/** Work with a bar on a terminal, which is wiped out however it ends. `total` is null when it cannot be known. */
export async function withProgress<Result>(
  shell: Shell,
  doing: string,
  total: number | null,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress({ doing, terminal: shell.terminal, totalBytes: total, clock: systemClock });
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/**
 * By what has been done since the beginning: the library goes by the last few calls, between which no byte need be read, and finds none
 * or infinitely many in a second. Nothing where it is not known: before the first byte, and after the last, while rows are still under way.
 */
function describeLeft(elapsedMs: number, done: number, total: number | null): string {
  if (total === null || done === 0 || done >= total) return '';
  return `  ${describeTime((elapsedMs * (total - done)) / done)} left`;
}

/** `45 s`, `12 min`, `2 h 5 min` */
function describeTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
