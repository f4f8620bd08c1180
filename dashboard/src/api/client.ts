import createClient from 'openapi-fetch';
import { ApiError, refusalOf, UNREACHABLE } from './api-error.ts';
import { fetchOrTakeOver } from './early-answers.ts';
import type { paths } from './schema.d.ts';

/** Every endpoint of the management API, typed by its OpenAPI description. Call it through `answerOf`. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  cache: 'no-store',
  fetch: fetchOrTakeOver,
});

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a success: `await answerOf(api.GET('/dashboard/api/…'))`. Throws an ApiError for everything else. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    // Cancelled by the page itself: no failure of the service.
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    // A success status with a body that is no JSON: the sign-in page of a proxy.
    if (cause instanceof SyntaxError) throw refusalOf(new Response(), undefined);
    throw new ApiError(UNREACHABLE);
  });
  if (!response.ok) throw refusalOf(response, error);
  // A 204 has no body, and its type says so.
  return data as T;
}
