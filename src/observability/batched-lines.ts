/** Lines are passed on together: a write for each costs a request as much as all its signals. */
export const BATCH_OCTETS = 12_288;
/** None waits longer than this. */
const WAIT_MS = 100;

/** Writes when it was given `BATCH_OCTETS`, or is told to. */
export interface Destination {
  write(text: string): unknown;
  flush(): void;
  flushSync(): void;
}

/** All that have lines, or had some. */
const inUse = new Set<BatchedLines>();

/**
 * Gathers log lines for a destination. A process that ends by itself writes out what is left. One that is killed loses it, a
 * batch at most, and so does one that must end while nobody reads: what is just being written. The destination could gather
 * them too, but weighs all that it has gathered anew with each line, which costs as much as to make the line.
 */
export class BatchedLines {
  readonly #destination: Destination;
  #lines: string[] = [];
  #units = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  write(line: string): void {
    if (!inUse.has(this)) use(this);
    this.#lines.push(line);
    this.#units += line.length;
    if (this.#units >= BATCH_OCTETS) this.handOver();
    else this.#timer ??= setTimeout(this.#writeOut, WAIT_MS).unref();
  }

  /** Gives the destination what was gathered. */
  handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#units = 0;
    this.#destination.write(text);
  }

  /** Returns when all is written. pino asks for it after a fatal line. */
  flushSync(): void {
    this.handOver();
    this.#destination.flushSync();
  }

  readonly #writeOut = (): void => {
    this.handOver();
    this.#destination.flush();
  };
}

function use(lines: BatchedLines): void {
  if (inUse.size === 0) {
    // Before the destination's own farewell, which listens to the same events.
    process.prependListener('beforeExit', () => {
      for (const each of inUse) each.handOver();
    });
    process.prependListener('exit', () => {
      for (const each of inUse) each.flushSync();
    });
  }
  inUse.add(lines);
}
