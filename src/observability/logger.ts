import { destination, type Logger, pino } from 'pino';
import { isoTime } from '../iso-time.ts';

export type { Logger };

/**
 * Lines are written together: a write for each costs a request as much as all its signals. None waits longer than this;
 * a process that ends by itself writes out what is left, and only one that is killed can lose it.
 */
const BATCH_BYTES = 12_288;
const FLUSH_MS = 100;

/**
 * JSON lines on standard error; standard output is for people and scripts (`ready …`).
 * Fields are chosen where they are logged: never a key, a local part or a request body. `redact` is
 * the second lock, for whoever logs a whole request by mistake.
 */
export function createLogger(level: string, fd = 2): Logger {
  return pino(
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
    destination({ fd, sync: false, minLength: BATCH_BYTES, periodicFlush: FLUSH_MS }),
  );
}
