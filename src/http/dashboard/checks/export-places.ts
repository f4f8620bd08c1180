import type { Readable } from 'node:stream';
import { AppError } from '../../../errors.ts';
import { RETRY_MS } from '../ask-insights.ts';

/** Files that one person may save at once: past their first page nothing else bounds what they read. */
export const MOST_EXPORTS = 2;

/** Counts the files that are under way, by person. */
export class ExportPlaces {
  readonly #taken = new Map<string, number>();

  /** The place is free again when the file is closed: read to its end, broken off or left. Throws AppError `busy`. */
  async within(personId: string, open: () => Promise<Readable>): Promise<Readable> {
    const taken = this.#taken.get(personId) ?? 0;
    if (taken >= MOST_EXPORTS) {
      const message = `${MOST_EXPORTS} of your own files are being saved already, perhaps in other tabs.`;
      throw new AppError('busy', { retryAfterMs: RETRY_MS, details: [{ message }] });
    }
    this.#taken.set(personId, taken + 1);
    try {
      return (await open()).once('close', () => this.#free(personId));
    } catch (error) {
      this.#free(personId);
      throw error;
    }
  }

  #free(personId: string): void {
    const left = (this.#taken.get(personId) ?? 0) - 1;
    if (left > 0) this.#taken.set(personId, left);
    else this.#taken.delete(personId);
  }
}
