import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../errors.ts';
import { LastAnswer } from '../../lib/concurrency.ts';
import { packageRoot } from '../../lib/paths.ts';
import { mount } from '../koa-app.ts';
import type { RequestState } from '../request-state.ts';
import { type BuiltClient, readBuiltClient } from './built-client.ts';

/** Headers of every answer of the dashboard's pages and assets. */
const SHARED_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // After one visit the browser uses only HTTPS. It ignores this header in an answer over HTTP (RFC 6797, 8.1).
  'Strict-Transport-Security': 'max-age=31536000',
} as const;

/** The page uses none of these. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The nonce allows the <style> elements that Mantine writes, for example for its theme. Scripts come only from files, nothing from elsewhere. */
function pageHeaders(styleNonce: string): Readonly<Record<string, string>> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${styleNonce}'`,
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return {
    ...SHARED_HEADERS,
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'X-Frame-Options': 'DENY',
    // A cached page would have the nonce of another answer.
    'Cache-Control': 'no-store',
  };
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Postern</title>
<h1>The dashboard is not built</h1><p>Run <code>npm run build</code>, then start Postern again. POST /v1/ works without it.</p></html>
`;

/** Paths for programs: a refusal there is JSON, for a browser too. */
const OF_PROGRAMS = /^\/(v1|dashboard\/api|assets)(\/|$)/;

/** Whether a browser opens the path as a page, by an old or mistyped link for example: the dashboard's page then says what is wrong. */
function isVisit({ method, path, headers }: Pick<Context, 'method' | 'path' | 'headers'>): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return isReading && !OF_PROGRAMS.test(path) && headers.accept?.includes('text/html') === true;
}

/**
 * Serves the dashboard's page at its paths, the files that the page loads, and the page with status 404 at every other path that a
 * browser opens. All other requests go on to the next middleware.
 */
export function dashboardPages(
  directory: string = join(packageRoot, 'dist/dashboard'),
): Middleware<RequestState> {
  const client = readBuiltClient(directory);
  const router = new Router<RequestState>({ sensitive: true });
  const page = showPage(client);
  for (const path of client?.paths ?? ['/']) mount(router, path, { GET: page });
  mount(router, '/assets/:name', { GET: sendAsset(client) });
  // The router's own context type has members that only its handlers see.
  const routes = router.routes() as unknown as Middleware<RequestState>;
  return (ctx, next) =>
    routes(ctx, () => {
      if (client === null || !isVisit(ctx)) return next();
      page(ctx, next);
      ctx.status = 404;
      return Promise.resolve();
    });
}

function showPage(client: BuiltClient | null): Middleware<RequestState> {
  return (ctx) => {
    const nonce = randomBytes(16).toString('base64');
    ctx.status = client === null ? 503 : 200;
    ctx.set(pageHeaders(nonce));
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body = client === null ? NOT_BUILT : client.page.replaceAll('__STYLE_NONCE__', nonce);
  };
}

/** Names contain a hash of the content, so that a file that was fetched once stays valid. */
function sendAsset(client: BuiltClient | null): Middleware<RequestState> {
  return (ctx) => {
    const asset = client?.assets.get(ctx.path.slice('/assets/'.length));
    // One call for each encoding: given all at once, Koa picks the client's first among equals, and browsers name gzip first.
    const form = asset?.forms.find(({ encoding }) => ctx.acceptsEncodings(encoding)) ?? asset?.forms.at(-1);
    if (!asset || !form) throw new AppError('not_found');
    ctx.set(SHARED_HEADERS);
    ctx.set('Content-Type', asset.contentType);
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('ETag', form.etag);
    ctx.vary('Accept-Encoding');
    if (form.encoding !== 'identity') ctx.set('Content-Encoding', form.encoding);
    ctx.body = form.body;
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
  };
}

/** The path below which every endpoint of the management API lies. */
export const API_ROOT = '/dashboard/api';

/** Loads the management API at the first request for it: that takes half a second, which a service that only answers checks need not spend. */
export function lazyDashboardApi(load: () => Promise<Middleware<RequestState>>): Middleware<RequestState> {
  // After a failed load the next request tries again.
  const loaded = new LastAnswer<Middleware<RequestState>>();
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${API_ROOT}/`)) return next();
    const api = await loaded.of('', 0, load);
    return api(ctx, next);
  };
}
