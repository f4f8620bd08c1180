import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '../../provider-kit/index.ts';
import { whole } from '../../statistics/describe-figures.ts';
import type { Sink } from '../shell.ts';

/** What is done sooner needs no bar. */
const SILENT_MS = 1_000;
/** The clock is looked at once in so many rows. */
const EVERY_ROWS = 64;

export interface ProgressOptions {
  /** What takes so long: `checking`. */
  readonly doing: string;
  /** Null where nobody looks. */
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
        : `${doing}  {bar}  {percentage} %  {rows} rows  {eta_formatted} left`;
    this.#bar =
      terminal &&
      new SingleBar(
        {
          format,
          // The library writes to it and asks for isTTY and columns; a process's standard error has them all.
          stream: terminal as unknown as NodeJS.WritableStream,
          clearOnComplete: true,
          // Both would meddle with the process: a cursor that stays hidden, and handlers of its signals.
          hideCursor: false,
          gracefulExit: false,
        },
        Presets.shades_classic,
      );
    this.#clock = clock;
    this.#totalBytes = totalBytes;
    this.#begun = clock.now();
  }

  /** So many rows more are done; so many bytes have been read in all. */
  advance(bytes: number, rowsMore = 1): void {
    this.#rows += rowsMore;
    if (this.#bar === null || this.#rows - this.#lookedAt < EVERY_ROWS) return;
    this.#lookedAt = this.#rows;
    const rows = whole(this.#rows);
    if (this.#isShown) this.#bar.update(bytes, { rows });
    else if (this.#clock.now() - this.#begun > SILENT_MS) {
      this.#bar.start(this.#totalBytes ?? 0, bytes, { rows });
      this.#isShown = true;
    }
  }

  /** Wipes the bar out. */
  stop(): void {
    if (this.#isShown) this.#bar?.stop();
    this.#isShown = false;
  }
}
