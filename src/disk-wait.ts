/** So many answers that wait together are worth arranging for; with fewer it costs more than it brings: docs/decisions/0041. */
export const MANY = 12;
/** Nothing is put off for longer, whatever becomes of the disk. */
export const PATIENCE_MS = 10;

/**
 * What the process may know of answers that wait for their commit. While many do, the event loop has time for what nobody waits
 * for; and when it is over, their clients ask again together.
 */
export class DiskWait {
  #waiting = 0;
  #areMany = false;
  #deferred: (() => void)[] = [];
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #over: (() => void)[] = [];
  #patience: NodeJS.Timeout | undefined;

  /** Many answers wait now. */
  get isLong(): boolean {
    return this.#waiting >= MANY;
  }

  /** So many answers wait for a commit that is on its way. */
  begin(answers: number): void {
    this.#waiting = answers;
    this.#areMany = answers >= MANY;
    if (this.#deferred.length > 0) this.#soon();
  }

  /** The commit is through, or has failed. */
  end(): void {
    this.#waiting = 0;
    this.#tellOver();
  }

  /** Calls back once the wait is over, when the answers have left, or after `PATIENCE_MS`. */
  whenOver(callback: () => void): void {
    this.#over.push(callback);
    this.#patience ??= setTimeout(this.#tellOver, PATIENCE_MS);
  }

  /**
   * Does what nobody waits for during the next long wait, after `PATIENCE_MS` at the latest. Where waits are short, as soon as
   * what is under way is done.
   */
  meanwhile(task: () => void): void {
    this.#deferred.push(task);
    if (this.#areMany) this.#timer ??= setTimeout(this.doDeferred, PATIENCE_MS);
    else this.#soon();
  }

  /** At once, for who is about to stop. */
  readonly doDeferred = (): void => {
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const tasks = this.#deferred;
    this.#deferred = [];
    for (const task of tasks) task();
  };

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.doDeferred);
  }

  readonly #tellOver = (): void => {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const callbacks = this.#over;
    this.#over = [];
    for (const callback of callbacks) setImmediate(callback);
  };
}
