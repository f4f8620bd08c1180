import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Refuses a request that would change something and was not made by a page of ours: another site can send one with the
 * person's cookie, but can set neither of these headers. `Sec-Fetch-Site` comes first, since a proxy may change `Host`.
 * Whoever sends neither header is no browser, and has no business here.
 */
export function requireSameOrigin(method: string, headers: IncomingHttpHeaders): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined
      ? // Also behind a proxy the client spoke HTTPS, or the door would have refused it.
        headers.origin?.toLowerCase() === `https://${headers.host?.toLowerCase()}`
      : site === 'same-origin';
  if (!isOurs) throw new AppError('foreign_origin');
}
