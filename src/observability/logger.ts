import { writeSync } from 'node:fs';
import { destination, type Logger, pino } from 'pino';
import type { InjectionToken } from '../di.ts';
import { isoTime } from '../lib/time.ts';

export type { Logger };

export const LOGGER: InjectionToken<Logger> = Symbol('Logger');

/** Lines are written together, from another thread: one write per line would cost a request as much as all its signals. */
const BATCH_OCTETS = 4_096;
/** A line waits no longer than this for others. */
const WAIT_MS = 100;
/** Kept while writing fails; writing is tried again each `WAIT_MS`. Lines beyond this limit are dropped and counted. */
const MOST_OCTETS = 8_000_000;
/** How often, 100 ms apart, an ending process tries to write into a pipe that is full. */
const LAST_ATTEMPTS = 100;

/**
 * JSON lines on standard error; standard output is for people and scripts (`ready …`).
 * Fields are chosen where they are logged: never a key, a local part or a request body. `redact` is
 * a second safeguard, for a whole request that is logged by mistake.
 */
export function createLogger(level: string, fd = 2): Logger {
  // Without a destination, whose timer would run for nothing.
  if (level === 'silent') return pino({ level, enabled: false });
  const logger: Logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'email',
          'address',
          'secret',
          'authorization',
          'headers.authorization',
          'req.headers.authorization',
        ],
        censor: '[redacted]',
      },
    },
    openDestination(fd, (lines) =>
      logger.error({ lines }, 'lines of the log are lost: what was to be written was not'),
    ),
  );
  return logger;
}

const SELDOM_MS = 60_000;

/** A warning that is written once a minute, however often it is given. */
export function warnSeldom(log: Logger, message: string): (details: object) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (details) => {
    if (performance.now() - warnedAt < SELDOM_MS) return;
    warnedAt = performance.now();
    log.warn(details, message);
  };
}

/** pino writes out what is left when the process ends, and after a fatal line. `tellLost` is called once lines can be written again. */
function openDestination(fd: number, tellLost: (lines: number) => void) {
  let lost = 0;
  let isUsed = false;
  let isFailing = false;
  let attemptsLeft = Number.POSITIVE_INFINITY;
  const stream = destination({
    dest: fd,
    sync: false,
    minLength: BATCH_OCTETS,
    maxLength: MOST_OCTETS,
    periodicFlush: WAIT_MS,
    retryEAGAIN: () => attemptsLeft-- > 0,
  });
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('drop', () => {
    lost += 1;
  });
  stream.on('drain', () => {
    isFailing = false;
    const lines = lost;
    lost = 0;
    if (lines > 0) tellLost(lines);
  });
  const write = stream.write.bind(stream);
  stream.write = (line) => {
    isUsed = true;
    return write(line);
  };
  const flush = stream.flushSync.bind(stream);
  // The stream's own flushSync retries for ever if the disk is full or the reader of a pipe is gone: the process would never end.
  stream.flushSync = () => {
    // A command that has logged nothing leaves standard error empty: the probe would write a space.
    if (isFailing || !isUsed) return;
    attemptsLeft = LAST_ATTEMPTS;
    try {
      probe(fd);
      flush();
    } catch {
      isFailing = true;
    }
    attemptsLeft = Number.POSITIVE_INFINITY;
  };
  return stream;
}

/** Throws where nothing can be written. Writes a space, which means nothing before a line of JSON. */
function probe(fd: number): void {
  try {
    writeSync(fd, ' ');
  } catch (error) {
    // The pipe is full: its reader may be slow.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}
