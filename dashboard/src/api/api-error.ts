/** One particular of a refusal, for example the member of the body that is at fault. */
export type ErrorDetail = Readonly<Record<string, unknown>>;

export interface ApiErrorParts {
  /** 0 where no answer came. */
  readonly status: number;
  /** A code of docs/errors.md, or one of this client: `unreachable`, `unreadable_answer` or `broken_off`. */
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A call that did not succeed, whatever the reason. Pages branch on `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, requestId, details = [], retryAfterSeconds }: ApiErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same call may succeed when it is made again. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Whether the service refused with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export const UNREACHABLE = {
  status: 0,
  code: 'unreachable',
  message: 'Postern does not answer. Is it running, and are you connected?',
} as const;

/** The error of an answer that is no success: from the envelope in its body, or `unreadable_answer` where the body is no envelope. */
export function refusalOf(
  response: { readonly status: number; readonly headers: Pick<Headers, 'get'> },
  body: unknown,
): ApiError {
  const { status, headers } = response;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const shared = {
    status,
    requestId: headers.get('request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
  const error = isObject(body) && isObject(body.error) ? body.error : undefined;
  if (error === undefined || typeof error.code !== 'string' || typeof error.message !== 'string') {
    return new ApiError({
      ...shared,
      code: 'unreadable_answer',
      message: `Something between this page and Postern answered with status ${status}.`,
    });
  }
  return new ApiError({
    ...shared,
    code: error.code,
    message: error.message,
    requestId: typeof error.request_id === 'string' ? error.request_id : shared.requestId,
    details: Array.isArray(error.details) ? error.details.filter(isObject) : [],
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
