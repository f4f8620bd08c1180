import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { onTestFinished } from 'vitest';
import { dashboardPages } from '../../../src/http/dashboard/dashboard-pages.ts';
import { createKoaApp } from '../../../src/http/koa-app.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** The pages of one build alone, on loopback; gone when the test is. */
export async function servePages(directory: string): Promise<Ask> {
  const app = createKoaApp(createLogger('silent'), noMetrics, new Router(), [dashboardPages(directory)]);
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}
