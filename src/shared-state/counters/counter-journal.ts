import { type FileHandle, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { makePrivateDirectory } from '../../storage/private-files.ts';
import type { CountedCheck } from './check-counters.ts';
import { LONGEST_MS } from './counter-book.ts';
import { header, MOST_WORDS, readSegment, writeCheck } from './journal-format.ts';
import type { Hash64 } from './sip-hash.ts';

/** Named for when they were begun, so that their names sort. */
const SEGMENT = /^\d{15}\.log$/;
/** Checks of up to a second, at some 20,000 a second; more are not kept. */
const BUFFER_WORDS = 2 ** 18;
const SEGMENT_OCTETS = 4 * 2 ** 20;
const SEGMENT_MS = 3_600_000;
/** Three quarters of it are 240,000 checks: more than the tables hold, and a start reads them in half a second. */
export const MOST_OCTETS = 16 * 2 ** 20;

export interface CounterJournalOptions {
  readonly directory: string;
  /** A hash that tells the key of the counts from any other. */
  readonly key: Hash64;
  readonly clock: Clock;
  readonly log: Logger;
  readonly mostOctets?: number | undefined;
}

interface Segment {
  readonly path: string;
  readonly begun: number;
  octets: number;
}

/**
 * The counted checks of the last 24 hours, in files of at most an hour, so that counts outlive a restart. Appended to
 * once a second by whoever holds it, without waiting for the disk: a crash of the process loses a second. What
 * cannot be written or read is logged and costs counts after the next restart, never an answer.
 */
export class CounterJournal {
  readonly #options: CounterJournalOptions;
  #words = new Uint32Array(BUFFER_WORDS);
  #length = 0;
  #lost = 0;
  #isFailing = false;
  #segments: Segment[] = [];
  #file: FileHandle | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: CounterJournalOptions) {
    this.#options = options;
  }

  /** Gives back every check that may still count, the oldest first, and deletes what is too old. Once, before `append`. */
  async read(restore: (check: CountedCheck) => void): Promise<void> {
    const { directory, key, log } = this.#options;
    try {
      const names = (await readdir(directory)).filter((name) => SEGMENT.test(name)).sort();
      for (const name of names) {
        const path = join(directory, name);
        this.#segments.push({ path, begun: Number.parseInt(name, 10), octets: (await stat(path)).size });
      }
      await this.#deleteOld();
      for (const { path } of this.#segments) {
        const checks = readSegment(await readFile(path), key);
        if (checks === null) log.warn({ file: path }, 'counts of another key or version are left out');
        else for (const check of checks) restore(check);
      }
    } catch (err) {
      if (codeOf(err) === 'ENOENT') return;
      log.error({ err }, 'counts of before the start are not restored: velocity begins anew');
    }
  }

  append(check: CountedCheck): void {
    if (this.#length + MOST_WORDS > this.#words.length) {
      this.#lost += 1;
      return;
    }
    this.#length = writeCheck(this.#words, this.#length, check);
    if (2 * this.#length > this.#words.length) void this.flush();
  }

  /** Hands what was appended to the operating system; resolves when it took it. Never rejects. */
  flush(): Promise<void> {
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Deletes what is older than any window, also where nothing is counted any more. Never rejects. */
  async prune(): Promise<void> {
    await this.#writing;
    await this.#deleteOld().catch((err) => this.#report(err));
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.flush();
    await this.#file?.close();
    this.#file = undefined;
  }

  async #flush(): Promise<void> {
    if (this.#length === 0) return;
    const words = this.#words.slice(0, this.#length);
    this.#length = 0;
    try {
      const { file, segment } = await this.#segmentFor(words.byteLength);
      const first = segment.octets === 0 ? header(this.#options.key) : new Uint32Array();
      await file.appendFile(Buffer.concat([octetsOf(first), octetsOf(words)]));
      segment.octets += first.byteLength + words.byteLength;
      if (this.#isFailing) this.#options.log.info({}, 'counts are kept for a restart again');
      this.#isFailing = false;
    } catch (err) {
      await this.#giveUpSegment();
      this.#report(err);
    }
    if (this.#lost > 0)
      this.#options.log.warn({ checks: this.#lost }, 'counts of checks are not kept for a restart');
    this.#lost = 0;
  }

  async #segmentFor(octets: number): Promise<{ readonly file: FileHandle; readonly segment: Segment }> {
    const { directory, clock } = this.#options;
    const current = this.#segments.at(-1);
    const now = clock.now();
    const isFull =
      current !== undefined &&
      (current.octets + octets > SEGMENT_OCTETS || now - current.begun >= SEGMENT_MS);
    if (this.#file && current && !isFull) return { file: this.#file, segment: current };
    await this.#file?.close();
    this.#file = undefined;
    makePrivateDirectory(directory);
    // A clock that was set back must not put a segment before those that are there.
    const begun = Math.max(now, (current?.begun ?? 0) + 1);
    const path = join(directory, `${String(begun).padStart(15, '0')}.log`);
    const file = await open(path, 'wx', 0o600);
    this.#file = file;
    const segment = { path, begun, octets: 0 };
    this.#segments.push(segment);
    await this.#deleteOld();
    return { file, segment };
  }

  /** What was written in part ends its segment: the next write begins another. An empty one is taken away. */
  async #giveUpSegment(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    await file.close().catch(() => undefined);
    const segment = this.#segments.at(-1);
    if (segment?.octets !== 0) return;
    this.#segments.pop();
    await unlink(segment.path).catch(() => undefined);
  }

  async #deleteOld(): Promise<void> {
    const { clock, mostOctets = MOST_OCTETS } = this.#options;
    const dead = clock.now() - LONGEST_MS;
    let octets = this.#segments.reduce((sum, segment) => sum + segment.octets, 0);
    while (this.#segments.length > 0) {
      const [oldest, next] = this.#segments;
      if (!oldest) return;
      // It holds nothing that came after its end: the next one's begin, or an hour after its own.
      const ended = next?.begun ?? oldest.begun + SEGMENT_MS + 1_000;
      const isOpen = next === undefined && this.#file !== undefined;
      // Room for the one that is being written.
      const isTooMuch = octets > mostOctets - SEGMENT_OCTETS && next !== undefined;
      if (isOpen || !(ended < dead || isTooMuch)) return;
      this.#segments.shift();
      octets -= oldest.octets;
      await unlink(oldest.path);
    }
  }

  #report(err: unknown): void {
    if (!this.#isFailing) {
      this.#options.log.error({ err }, 'counts cannot be kept for a restart; no answer depends on it');
    }
    this.#isFailing = true;
  }
}

function octetsOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
