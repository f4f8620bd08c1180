import type { SingleBar } from 'cli-progress';
import { createBar, SILENT_MS } from '../render/bar.ts';
import type { Sink } from '../shell.ts';

/** A bar over the lists for a person who waits; null where nobody looks. */
export class WaitingBar {
  readonly #bar: SingleBar | null;
  readonly #total: number;
  #timer: NodeJS.Timeout | undefined;
  #done = 0;

  constructor(terminal: Sink | null, total: number) {
    this.#total = total;
    this.#bar = terminal && createBar(terminal, 'downloading  {bar}  {value} of {total} lists');
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
