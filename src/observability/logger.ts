import { destination, type Logger, pino } from 'pino';
import type { InjectionToken } from '../di.ts';
import { isoTime } from '../lib/dates.ts';
import { BatchedLines } from './batched-lines.ts';

export type { Logger };

/**
 * JSON lines on standard error; standard output is for people and scripts (`ready …`).
 * Fields are chosen where they are logged: never a key, a local part or a request body. `redact` is
 * the second lock, for whoever logs a whole request by mistake.
 */
export function createLogger(level: string, fd = 2): Logger {
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
    new BatchedLines(destination({ fd, sync: false }), fd, (lines) =>
      logger.error({ lines }, 'lines of the log are lost: what was to be written was not'),
    ),
  );
  return logger;
}

/** The process's logger. */
export const LOGGER: InjectionToken<Logger> = Symbol('Logger');
