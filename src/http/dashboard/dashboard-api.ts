import Router from '@koa/router';
import type { Middleware } from 'koa';
import { readVersion } from '../../app/version.ts';
import type { InjectionToken } from '../../di.ts';
import { once } from '../../lib/concurrency.ts';
import { mountMethods } from '../hall.ts';
import type { RequestState } from '../state.ts';
import { API_ROOT } from './api-root.ts';
import type { AnyArea } from './area.ts';
import { describeDashboardApi } from './openapi/document.ts';
import { type Guards, serveEndpoint } from './serve-endpoint.ts';

export interface DashboardApiOptions extends Guards {
  readonly areas: readonly AnyArea[];
  readonly resolve: <T>(token: InjectionToken<T>) => T;
}

/** Mounts every endpoint of every area. What is not found goes on to the next middleware. */
export function dashboardApi({ areas, resolve, ...guards }: DashboardApiOptions): Middleware<RequestState> {
  const paths = new Map<string, Map<string, Middleware<RequestState>>>();
  for (const { services, endpoints } of areas) {
    const resolved = once(() => resolve(services));
    for (const endpoint of endpoints) {
      const methods = paths.get(endpoint.path) ?? new Map();
      if (methods.has(endpoint.method))
        throw new Error(`${endpoint.method} ${endpoint.path} is declared twice`);
      paths.set(endpoint.path, methods.set(endpoint.method, serveEndpoint(endpoint, resolved, guards)));
    }
  }
  const router = new Router<RequestState>({ sensitive: true });
  mountMethods(router, `${API_ROOT}/openapi.json`, new Map([['GET', showDescription(areas)]]));
  for (const [path, methods] of paths) {
    mountMethods(router, API_ROOT + path.replaceAll(/\{(\w+)\}/g, ':$1'), methods);
  }
  return router.routes() as unknown as Middleware<RequestState>;
}

/** Written once, at the first request. It changes with the version alone. */
function showDescription(areas: readonly AnyArea[]): Middleware<RequestState> {
  const text = once(() => JSON.stringify(describeDashboardApi(areas, readVersion())));
  return (ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = text();
  };
}
