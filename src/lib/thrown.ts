import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The code of an error of the system or of a library, such as `ENOENT`; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** The message of a thrown value; never throws itself. Erasable TypeScript: workers load it too. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'something that cannot be read';
  }
}

/** The trace of a thrown value; empty where it has none. */
export function stackOf(error: unknown): string {
  try {
    return String((error as Partial<Error> | null | undefined)?.stack ?? '');
  } catch {
    return '';
  }
}

const ERROR_CLASSES = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, AggregateError];
const SYSTEM_CODES = new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'ESERVFAIL', 'EAI_AGAIN']);

/**
 * Describes an error for a log without any text that the throwing code could choose: a message may quote an address in any encoding.
 * `code`: one of the system, such as `ECONNREFUSED`, of the error or its cause. `at`: up to eight `file:line:column`, innermost first. Never
 * throws.
 */
export function kindOfThrown(error: unknown) {
  try {
    // Of an error its class, where it is one of the language's own.
    const type =
      error instanceof Error
        ? (ERROR_CLASSES.find((known) => error instanceof known) ?? Error).name
        : typeof error;
    const codes = [codeOf(error), codeOf(error instanceof Error ? error.cause : undefined)];
    const code = codes.find((one) => SYSTEM_CODES.has(one ?? ''));
    return { type, ...(code !== undefined && { code }), at: placesIn(stackOf(error)) };
  } catch {
    return { type: typeof error, at: [] };
  }
}

/** The places in a stack trace. A place counts only if its file exists: a message, or a made-up trace, can look like one. */
function placesIn(stack: string): readonly string[] {
  const frames = stack.matchAll(/^ {4}at (?:[^\n]* )?\(?((?:file:\/\/)?\/[^\n()]*?)(:\d+:\d+)\)?$/gm);
  const places: string[] = [];
  for (const [, file = '', position] of frames) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) places.push(`${path}${position}`);
    // What a port refuses has five of the host before the first of the plugin.
    if (places.length === 8) break;
  }
  return places;
}

/** The result of reading a file, or `instead` where the file does not exist. */
export function orIfAbsent<Found, Instead>(reading: Promise<Found>, instead: Instead) {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  });
}
