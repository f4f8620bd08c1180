import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** What the system or a library calls the error, such as `ENOENT`; undefined for what has no such code. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** What a thrown value says; never throws itself. Erasable TypeScript: workers load it too. */
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

/** What was thrown, without a word that the one who threw it could choose. */
export interface ThrownKind {
  /** Its class where that is one of the language's own, else `Error`; `string`, `object` … of what is no error. */
  readonly type: string;
  /** Of the system, such as `ECONNREFUSED`; its own, or that of what caused it. */
  readonly code?: string;
  /** Up to five `file:line:column`, innermost first. */
  readonly at: readonly string[];
}

const ERROR_CLASSES = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, AggregateError];
const SYSTEM_CODES = new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'ESERVFAIL', 'EAI_AGAIN']);

/** What a log may say of an error whose words may quote an address, in whatever encoding. Never throws. */
export function kindOfThrown(error: unknown): ThrownKind {
  try {
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

/** Words of a trace are taken for a place only where the file is there: a message, or a made-up trace, can look like one. */
function placesIn(stack: string): readonly string[] {
  const frames = stack.matchAll(/^ {4}at (?:[^\n]* )?\(?((?:file:\/\/)?\/[^\n()]*?)(:\d+:\d+)\)?$/gm);
  const places: string[] = [];
  for (const [, file = '', position] of frames) {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) places.push(`${path}${position}`);
    if (places.length === 5) break;
  }
  return places;
}

/** What is read of a file, or `instead` where there is no such file. */
export function orIfAbsent<Found, Instead>(reading: Promise<Found>, instead: Instead) {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  });
}
