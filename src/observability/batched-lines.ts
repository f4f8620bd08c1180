/** Lines are passed on together: a write for each costs a request as much as all its signals. */
const BATCH_UNITS = 12_288;
/** None waits longer than this. */
const WAIT_MS = 100;

export interface Destination {
  write(text: string): unknown;
}

/**
 * Gathers log lines for a destination. A process that ends by itself passes on what is left, and only one that is killed
 * can lose it. The destination could gather lines too (`minLength`), but weighs all that it has gathered anew with each of
 * them, which costs as much as to write the line.
 */
export class BatchedLines {
  readonly #destination: Destination;
  #lines: string[] = [];
  #units = 0;
  #isBound = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#bind();
    this.#lines.push(line);
    this.#units += line.length;
    if (this.#units >= BATCH_UNITS) this.#pass();
    else this.#timer ??= setTimeout(this.#pass, WAIT_MS).unref();
  }

  readonly #pass = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#units = 0;
    this.#destination.write(text);
  };

  /** Before the destination's own farewell, which listens to the same events. */
  #bind(): void {
    if (this.#isBound) return;
    this.#isBound = true;
    process.prependListener('beforeExit', this.#pass);
    process.prependListener('exit', this.#pass);
  }
}
