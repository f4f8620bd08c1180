import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import { once } from '../../lib/concurrency.ts';
import { packageRoot } from '../../lib/paths.ts';

/** Answers with a description of `docs/`, read at the first request. `npm run openapi` writes it, and a test holds it to the schemas. */
export function showDescription(file: 'openapi.json' | 'dashboard-openapi.json'): Middleware {
  const text = once(() => JSON.stringify(JSON.parse(readFileSync(join(packageRoot, 'docs', file), 'utf8'))));
  return (ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = text();
  };
}
