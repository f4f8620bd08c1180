import { type Options, Presets, SingleBar } from 'cli-progress';
import type { Sink } from '../shell.ts';

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
