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
  /** The last commit was of many: more such are likely. */
  #wasLong = false;
  #deferred: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #over: (() => void)[] = [];
  #patience: NodeJS.Timeout | undefined;
  #away = 0;

  /** Many answers wait now. */
  get isLong(): boolean {
    return this.#waiting >= MANY;
  }

  /** Of those whom the last long wait was for, so many have not asked again and may at any moment. */
  get away(): number {
    return this.#away;
  }

  /** Somebody asks: one of those who were away, as likely as not. */
  comeBack(): void {
    if (this.#away > 0) this.#away -= 1;
  }

  /** Nobody is expected any more. */
  expectNobody(): void {
    this.#away = 0;
  }

  /** So many answers wait for a commit that is on its way. */
  begin(answers: number): void {
    this.#waiting = answers;
    this.#wasLong = answers >= MANY;
    if (this.#deferred.length > 0) setImmediate(this.doDeferred);
  }

  /** The commit is through, or has failed. */
  end(): void {
    this.#away = this.isLong ? this.#waiting : 0;
    this.#waiting = 0;
    this.#tellOver();
  }

  /** Calls back once the wait is over, when the answers have left, or after `PATIENCE_MS`. */
  whenOver(callback: () => void): void {
    this.#over.push(callback);
    this.#patience ??= setTimeout(this.#tellOver, PATIENCE_MS);
  }

  /**
   * Does what nobody waits for: after a long wait during the next one, or after `PATIENCE_MS`; else in the next turn of the event
   * loop. A task must not throw: those behind it would be lost.
   */
  meanwhile(task: () => void): void {
    this.#deferred.push(task);
    if (this.#wasLong) this.#timer ??= setTimeout(this.doDeferred, PATIENCE_MS);
    else if (this.#deferred.length === 1) setImmediate(this.doDeferred);
  }

  /** Does now what was put off, as whoever is about to stop must. */
  readonly doDeferred = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const tasks = this.#deferred;
    this.#deferred = [];
    for (const task of tasks) task();
  };

  readonly #tellOver = (): void => {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const callbacks = this.#over;
    this.#over = [];
    for (const callback of callbacks) setImmediate(callback);
  };
}
