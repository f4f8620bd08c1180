import { Presets, SingleBar } from 'cli-progress';
import type { Sink } from '../shell.ts';

/** What is done sooner needs no bar. */
const SILENT_MS = 1_000;

/** A bar over the lists for a person who waits; null where nobody looks. */
export class WaitingBar {
  readonly #bar: SingleBar | null;
  readonly #total: number;
  #timer: NodeJS.Timeout | undefined;
  #done = 0;

  constructor(terminal: Sink | null, total: number) {
    this.#total = total;
    this.#bar =
      terminal &&
      new SingleBar(
        {
          format: 'downloading  {bar}  {value} of {total} lists',
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
    if (this.#bar) this.#timer = setTimeout(() => this.#bar?.start(this.#total, this.#done), SILENT_MS);
  }

  advance(): void {
    this.#done += 1;
    if (this.#bar?.isActive) this.#bar.update(this.#done);
  }

  /** Wipes the bar out. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#bar?.isActive) this.#bar.stop();
  }
}
