import { Presets, SingleBar } from 'cli-progress';
import { whole } from '../../lib/statistics.ts';
import { systemClock } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { Shell, Sink } from '../shell.ts';

/** Work that takes less time gets no bar. */
const SILENT_MS = 1_000;

interface ProgressOptions {
  /** The work: `checking`. */
  readonly doing: string;
  /** What its parts are called; `rows` when absent. */
  readonly unit?: string;
  /** Null where standard error is no terminal. */
  readonly terminal: Sink | null;
  /** Rows, or the size of the input in bytes, for example; null when it cannot be known. */
  readonly total: number | null;
  readonly clock: Clock;
}

/** A progress bar on a terminal, shown once the work has taken a second. */
export class Progress {
  readonly #bar: SingleBar | null;
  readonly #begun: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #rows = 0;
  #done = 0;

  constructor(private readonly options: ProgressOptions) {
    const { doing, unit = 'rows', terminal, total, clock } = options;
    const format =
      total === null
        ? `${doing}  {rows} ${unit}  {duration_formatted}`
        : `${doing}  {bar}  {percentage} %  {rows} ${unit}{left}`;
    this.#bar = terminal && createBar(terminal, format);
    this.#begun = clock.now();
    // Shows the bar even while the first part takes longer than a second.
    if (this.#bar) this.#timer = setTimeout(() => this.#show(), SILENT_MS);
  }

  /** `rowsMore` rows are done since the last call, and `done` of the total in all: the rows, unless the total is of another unit. */
  advance(rowsMore: number, done = this.#rows + rowsMore): void {
    this.#rows += rowsMore;
    this.#done = done;
    // The timer does not fire while work holds up the event loop.
    if (this.#bar && this.options.clock.now() - this.#begun > SILENT_MS) this.#show();
  }

  #show(): void {
    const { clock, total } = this.options;
    const left = describeLeft(clock.now() - this.#begun, this.#done, total);
    const shown = { rows: whole(this.#rows), left };
    if (this.#bar?.isActive) this.#bar.update(this.#done, shown);
    else this.#bar?.start(total ?? 0, this.#done, shown);
  }

  /** Wipes the bar out. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#bar?.isActive) this.#bar.stop();
  }
}

function createBar(terminal: Sink, format: string): SingleBar {
  return new SingleBar(
    {
      format,
      // With a million rows and hours left the line still fits into 80 columns.
      barsize: 24,
      stream: terminal,
      clearOnComplete: true,
      // Each would outlast Ctrl-C: a hidden cursor, lines that do not wrap, handlers of the process's signals.
      hideCursor: false,
      linewrap: true,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
}

/** Runs `work` with a bar on a terminal, which is cleared however `work` ends. `total` is null when it cannot be known. */
export async function withProgress<Result>(
  shell: Shell,
  doing: string,
  total: number | null,
  work: (progress: Progress) => Promise<Result>,
  unit = 'rows',
): Promise<Result> {
  const progress = new Progress({ doing, unit, terminal: shell.terminal, total, clock: systemClock });
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** `withProgress` for work that tells how many of its parts are done. */
export function showingParts<Result>(
  shell: Shell,
  doing: string,
  unit: string,
  work: (onDone: (parts: number, ofParts: number) => void) => Promise<Result>,
): Promise<Result> {
  let before = 0;
  const show = (progress: Progress) =>
    work((parts, ofParts) => {
      progress.advance(parts - before, parts / ofParts);
      before = parts;
    });
  return withProgress(shell, doing, 1, show, unit);
}

/**
 * Estimates the time left from the average speed: the library's own estimate uses the last few calls, between which perhaps no byte was
 * read. Empty before the first byte, and after the last, while rows are still under way.
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
