import { writeSync } from 'node:fs';

/** Lines are passed on together: a write for each costs a request as much as all its signals. */
const BATCH_OCTETS = 12_288;
/** None waits longer than this, while somebody reads. */
const WAIT_MS = 100;
/** Gathered at most while they cannot be written: seconds of the highest load. What comes then is lost, and counted. */
const MOST_UNITS = 8_000_000;
/** After this it is tried again where they could not be written, as on a full disk. */
const RETRY_MS = 1_000;
/** So long an ending process waits for one that reads slowly, and looks again after each pause. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;

/**
 * Writes what it is given to a file descriptor, one after the other, and says `drain` when all is written. What failed it keeps,
 * and tries again with the next.
 */
export interface Destination {
  write(text: string): unknown;
  destroy(): void;
  on(event: 'drain', listener: () => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** All that have lines, or had some. */
const inUse = new Set<BatchedLines>();

/**
 * Gathers log lines for a destination, which is given the next when it has written the last. A process that ends by itself
 * writes out what is left. One that is killed loses it, a batch at most while somebody reads, and so does one that must end
 * while nobody does. It is written without the destination then, which would try for ever. The destination could gather
 * lines too, but weighs all that it has gathered anew with each line, which costs as much as to make the line.
 */
export class BatchedLines {
  readonly #destination: Destination;
  readonly #fd: number;
  #lines: string[] = [];
  #units = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWriting = false;
  #retry: NodeJS.Timeout | undefined;
  #lost = 0;
  /** Whoever read has gone: there is nobody to tell. */
  #isOver = false;

  /** `fd` is where the destination writes; `tellLost` is called when lines can be written again after some could not be kept. */
  constructor(destination: Destination, fd: number, tellLost: (lines: number) => void) {
    this.#destination = destination;
    this.#fd = fd;
    destination.on('drain', () => {
      this.#isWriting = false;
      this.handOver();
      const lost = this.#lost;
      this.#lost = 0;
      if (lost > 0) tellLost(lost);
    });
    destination.on('error', ({ code }) => {
      if (code === 'EPIPE') this.#end();
      else this.#retry ??= setTimeout(this.#tryAgain, RETRY_MS).unref();
    });
  }

  write(line: string): void {
    if (this.#isOver) return;
    if (this.#units >= MOST_UNITS) {
      this.#lost += 1;
      return;
    }
    if (!inUse.has(this)) use(this);
    this.#lines.push(line);
    this.#units += line.length;
    if (this.#units >= BATCH_OCTETS) this.handOver();
    else if (!this.#isWriting) this.#timer ??= setTimeout(this.handOver, WAIT_MS).unref();
  }

  /** Gives the destination what was gathered, now or when it has written the last. */
  readonly handOver = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isWriting || this.#lines.length === 0) return;
    this.#isWriting = true;
    this.#destination.write(this.#take());
  };

  /** Returns when all that was gathered is written, or cannot be. pino asks for it after a fatal line. */
  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length > 0) writeOut(this.#fd, Buffer.from(this.#take()));
  }

  /** For a process that ends: a destination that has failed would try for ever. */
  close(): void {
    this.flushSync();
    if (this.#retry !== undefined) this.#end();
  }

  readonly #tryAgain = (): void => {
    this.#retry = undefined;
    this.#destination.write('');
  };

  #end(): void {
    clearTimeout(this.#retry);
    this.#destination.destroy();
    this.#isOver = true;
    this.#take();
  }

  #take(): string {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#units = 0;
    return text;
  }
}

function use(lines: BatchedLines): void {
  if (inUse.size === 0) {
    // Before the destination's own farewell, which listens to the same events.
    process.prependListener('beforeExit', () => {
      for (const each of inUse) each.handOver();
    });
    process.prependListener('exit', () => {
      for (const each of inUse) each.close();
    });
  }
  inUse.add(lines);
}

/** Gives up where nobody reads, or the disk is full. */
function writeOut(fd: number, octets: Buffer): void {
  let written = 0;
  for (let waited = 0; written < octets.length && waited < PATIENCE_MS; ) {
    try {
      written += writeSync(fd, octets, written);
    } catch (error) {
      // A pipe that is full, and does not make its writers wait.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, PAUSE_MS);
      waited += PAUSE_MS;
    }
  }
}
