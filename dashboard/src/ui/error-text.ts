import { ApiError, type ErrorDetail } from '../api/api-error.ts';

export interface ErrorText {
  readonly title: string;
  readonly message: string;
  /** Particulars, one sentence each. */
  readonly details: readonly string[];
  /** What the reader can do; null where the message says it. */
  readonly advice: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
}

/** Advice for codes whose message does not tell a person at the dashboard what to do. */
const ADVICE: Readonly<Record<string, string>> = {
  unreachable: 'Nothing was changed that you do not see. Try again when the service answers.',
  forbidden: 'An owner of this Postern can give you a role that may.',
  not_found: 'It may have been removed, or belong to an account that is not in view.',
  roles_changed: 'They are shown as they are now.',
  internal_error:
    'Try again. If it happens again, give the request id to the person who runs Postern: the log has it.',
  unavailable: 'Try again in a moment.',
  unreadable_answer: 'If a proxy stands before Postern, look at its log.',
};

/** Replace messages that are written for programs. */
const MESSAGES: Readonly<Record<string, string>> = {
  weak_password: 'This password is too easy to guess.',
  not_found: 'It is not there.',
  not_signed_in: 'The session had ended. Try again, now that you are signed in.',
  label_changed: 'Another person has changed it since this page was read. It is shown as it is now.',
};

/** For a request that is not as described, whose message is for programs; where it has no details, its message says what is wrong. */
const NOT_TAKEN = 'Postern did not take this:';

/** The part of a message that refers programs to "details": people see the details below it. */
const OF_DETAILS = /; "details" [^.]*\.$/;

/** The texts to show for anything that was thrown. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof ApiError) {
    const wait = error.retryAfterSeconds;
    const details = error.details.flatMap(sentenceOf);
    const isNotTaken = error.code === 'invalid_request' && details.length > 0;
    const message = isNotTaken ? NOT_TAKEN : (MESSAGES[error.code] ?? error.message);
    return {
      title: error.code === 'unreachable' ? 'No answer' : 'That did not work',
      message: message.replace(OF_DETAILS, '.'),
      details,
      advice: wait === undefined ? (ADVICE[error.code] ?? null) : `Try again in ${waitText(wait)}.`,
      code: error.code,
      requestId: error.requestId ?? null,
    };
  }
  if (isLostModule(error)) {
    return {
      title: 'A part of this page is missing',
      message:
        'A part of this page could not be fetched: Postern does not answer, or was updated while this page was open.',
      details: [],
      advice: 'Load the page anew.',
      code: null,
      requestId: null,
    };
  }
  return {
    title: 'This page failed',
    message: error instanceof Error ? error.message : String(error),
    details: [],
    advice: 'Load the page anew. If it fails again, it is a mistake in Postern.',
    code: null,
    requestId: null,
  };
}

/** The member of a body or a query, without the part of the request that it is in. */
const OF_REQUEST = /^(?:body|query)\//;

/** `{ path: 'body/name', message: 'is missing' }`, a message that is a whole sentence, or `{ fault }`, as lint and tests tell it. */
function sentenceOf({ path, message, fault }: ErrorDetail): readonly string[] {
  if (typeof message !== 'string') return typeof fault === 'string' ? [fault] : [];
  const isWhole = /^\p{Lu}/u.test(message);
  return [isWhole || typeof path !== 'string' ? message : `${path.replace(OF_REQUEST, '')} ${message}`];
}

function waitText(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** Whether a module or style sheet of the app was not fetched. Browsers share no error name, only words; for a style sheet Vite throws. */
export function isLostModule(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload/i.test(error.message);
}
