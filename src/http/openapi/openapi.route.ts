import type { Middleware } from 'koa';
import { readVersion } from '../../app/version.ts';
import { describeApi } from './document.ts';

/** `GET /openapi.json`: written once, at the first request. It changes with the version alone. */
export function showOpenApi(): Middleware {
  let text: string | undefined;
  return (ctx) => {
    text ??= JSON.stringify(describeApi(readVersion()));
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = text;
  };
}
