import { codeOf, messageOf } from './lib/thrown.ts';

/** Statuses below 500 after which the same request may succeed later: it came too slowly, or too many requests came. */
const RETRYABLE = [408, 429];

/** `message` is public. */
function refusal(status: number, message: string) {
  return { status, retryable: status >= 500 || RETRYABLE.includes(status), message };
}

/** Refusals of the service itself: customers may meet each of these. */
export const SERVICE_ERRORS = {
  bad_request: refusal(400, 'The request is not valid HTTP.'),
  invalid_json: refusal(400, 'The body must be a JSON object in UTF-8.'),
  missing_email: refusal(400, 'The body must have a member "email" whose value is a string.'),
  missing_api_key: refusal(401, 'Send an API key: "Authorization: Bearer <key>".'),
  malformed_api_key: refusal(
    401,
    'The API key is not of the form pst_live_… or pst_test_…; was it cut when it was copied, or sent twice?',
  ),
  invalid_api_key: refusal(401, 'The API key is unknown or revoked.'),
  https_required: refusal(403, 'Use HTTPS. A key sent over plain HTTP can be read on the way: replace it.'),
  not_found: refusal(404, 'There is nothing here. Checks go to POST /v1/.'),
  method_not_allowed: refusal(405, 'This path does not take that method.'),
  request_timeout: refusal(408, 'The request did not arrive in time.'),
  body_too_large: refusal(413, 'The body is larger than this server takes.'),
  unsupported_media_type: refusal(
    415,
    'Send "Content-Type: application/json" (UTF-8) without a Content-Encoding.',
  ),
  unparseable_email: refusal(422, 'The value of "email" cannot be read as one email address.'),
  rate_limited: refusal(429, 'Too many requests. Wait as "Retry-After" says, then back off exponentially.'),
  quota_exhausted: refusal(
    429,
    "The account's checks for this month are used up. They begin anew with the next month (UTC).",
  ),
  headers_too_large: refusal(431, 'The request headers are too large.'),
  internal_error: refusal(
    500,
    'Postern failed. This says nothing about the address; do not treat it as BLOCK.',
  ),
  unavailable: refusal(503, 'Postern cannot use its database right now. Retry as "Retry-After" says.'),
};

/** Further refusals, of `/dashboard/api`. */
const DASHBOARD_ERRORS = {
  invalid_request: refusal(400, 'The query or the body is not as described; "details" says where.'),
  busy: refusal(
    503,
    'Postern is at work for others, or this took too long. Try again as "Retry-After" says; if it stays, ask for less, such as a shorter time.',
  ),
  not_signed_in: refusal(401, 'Sign in first. API keys open nothing here.'),
  wrong_credentials: refusal(401, 'The email or the password is wrong.'),
  forbidden: refusal(403, 'Your role does not allow this.'),
  not_rotatable: refusal(
    409,
    'The key was revoked, or rotated before: rotate the one that took its place, or make a new one.',
  ),
  foreign_origin: refusal(
    403,
    'Only the dashboard itself may send this: "Origin" or "Sec-Fetch-Site" must say so.',
  ),
  email_taken: refusal(409, 'There is a person with this email already.'),
  name_taken: refusal(409, 'There is one with this name already.'),
  roles_changed: refusal(
    409,
    'The roles of this person were changed in the meantime. Look at them again, then make your change.',
  ),
  label_changed: refusal(
    409,
    'The label of this check was changed in the meantime. Look at it again, then make your change.',
  ),
  last_owner: refusal(409, 'There must be an owner: make another one first.'),
  invalid_link: refusal(410, 'The link was used or revoked, or its time is over: ask for a new one.'),
  weak_password: refusal(422, 'The password is too easy to guess; "details" says why.'),
  draft_changed: refusal(
    409,
    'This draft was saved by another person in the meantime; "details" says who and when.',
  ),
  backtest_required: refusal(
    409,
    'Only what was backtested is published: this very revision of the draft, against the rules in force now.',
  ),
  rules_changed: refusal(
    409,
    'Other rules are published than this change was made of; "details" has the difference.',
  ),
  challenger_changed: refusal(
    409,
    'The challenger is another by now than the one you looked at. Look at the shadow board again.',
  ),
  list_changed: refusal(
    409,
    'This list was changed in the meantime. Look at it again, then make your change.',
  ),
  rules_refused: refusal(422, 'Lint or the tests refuse these rules; "details" says why.'),
  rules_too_large: refusal(
    422,
    'To lint these rules takes too long. Make them smaller: fewer rules and comparisons, shorter lists. "postern rules lint" takes the time it needs.',
  ),
  rules_not_written: refusal(503, 'The rules could not be published; "details" says what is published now.'),
};

/**
 * The closed table of refusals. `docs/errors.md` holds the same rows; a test keeps the two equal.
 */
export const ERRORS = { ...SERVICE_ERRORS, ...DASHBOARD_ERRORS };

export type ErrorCode = keyof typeof ERRORS;

export interface AppErrorOptions {
  /** Public, machine-readable particulars: `error.details` of the envelope. */
  readonly details?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Replaces the code's own sentence, for commands; an HTTP answer always has the code's own sentence. */
  readonly message?: string;
  /** For the log alone. */
  readonly cause?: unknown;
  /** Becomes `Retry-After`, in whole seconds rounded up. */
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An expected refusal with a code of the closed table. Anything else that is thrown is a bug. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: AppErrorOptions['details'];
  readonly retryAfterMs: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options);
    this.code = code;
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The reason, for operators. Takes the cause of an AppError, because the message of an AppError is for callers. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  // Node's error has no message where a name has several addresses and every connection failed.
  return messageOf(cause) || String(codeOf(cause));
}

/**
 * Faults of configuration, rules or providers found before anything is served. All of them are
 * printed, each with file and key, and the process exits with 78 (EX_CONFIG of sysexits.h), or with 75 where another start may succeed.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly faults: readonly string[];
  /** Nothing is misconfigured: something cannot be reached, and another start may succeed. */
  readonly isTemporary: boolean;

  constructor(faults: readonly string[], isTemporary = false) {
    super(faults.join('\n'));
    this.faults = faults;
    this.isTemporary = isTemporary;
  }

  /** Waits for all tasks; where several fail, one StartupError holds every fault. Any other error is thrown as it is. */
  static async gather<T extends readonly unknown[]>(
    tasks: T,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    const settled = await Promise.allSettled(tasks);
    const reasons = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    const bug = reasons.find((reason) => !(reason instanceof StartupError));
    if (bug !== undefined) throw bug;
    const errors: readonly StartupError[] = reasons;
    const faults = errors.flatMap((error) => error.faults);
    if (errors.length > 0)
      throw new StartupError(
        faults,
        errors.every(({ isTemporary }) => isTemporary),
      );
    return Promise.all(tasks);
  }
}

/** The faults in an error, for a caller that goes on with the previous state. */
export function faultsIn(error: unknown): readonly string[] {
  return error instanceof StartupError ? error.faults : [String(error)];
}

/** The request cannot be carried out. The message is for the person who asked: a command prints it as it stands, and ends. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';
}

/** A file of rows that cannot be made sense of as a whole. The message names it and says what to do. */
export class RowFileFault extends ExplainedError {
  override readonly name = 'RowFileFault';
}
