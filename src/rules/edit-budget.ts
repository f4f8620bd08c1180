/**
 * How many lines a comparison of directories may find added and removed, in all files together, before it takes files whole:
 * the time to look for them grows with their square, to a third of a second for a thousand.
 */
const MOST_EDITS = 1_000;

export class EditBudget {
  #left = MOST_EDITS;

  /** For the next file. */
  get left(): number {
    return this.#left;
  }

  /** Of a file that was compared to the end. */
  spend(edits: number): void {
    this.#left = Math.max(this.#left - edits, 0);
  }

  /** A file had more than were left: halved, so that all that are given up together take a third more than the first. */
  giveUp(): void {
    this.#left = Math.floor(this.#left / 2);
  }
}
